/**
 * What a page says while its application cannot be loaded. It uses the texts in the page and needs no other file. React
 * hydrates only what the server sent, so the notice is removed before.
 */
import { readPageData } from "../lib/site/page-data.ts";

export const NOTICE_ID = "start-failure";
export const NOTICE_CLASSES =
  "fixed inset-x-4 bottom-(--above-bar) z-50 mx-auto max-w-md rounded-2xl border border-strong-line bg-surface px-4 py-3 font-semibold text-ink shadow-lg";

export function showStartFailure(reason: "offline" | "broken" | "slow"): void {
  const words: unknown = readPageData().data.texts.common;
  const text = isCommon(words) ? words.parts[reason] : undefined;
  if (text === undefined) return;
  const shown = document.getElementById(NOTICE_ID);
  if (shown && reason === "slow") return;
  const notice = shown ?? document.createElement("p");
  notice.id = NOTICE_ID;
  notice.setAttribute("role", "alert");
  notice.className = NOTICE_CLASSES;
  if (notice.textContent !== text) notice.textContent = text;
  document.body.append(notice);
}

export function removeStartFailure(): void {
  document.getElementById(NOTICE_ID)?.remove();
}

function isCommon(words: unknown): words is { parts: Record<string, string> } {
  return typeof words === "object" && words !== null && "parts" in words;
}
