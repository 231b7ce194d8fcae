import type { LOAD_DELAY_MS } from "../lib/site/constants.ts";

interface EntrySettings {
  pageDataId: string;
  noticeId: string;
  noticeClasses: string;
  reloadedKey: string;
  delayMs: typeof LOAD_DELAY_MS;
}

/**
 * If the first script of the page is missing, nothing else can say so. Reloads the page once the script is there: nobody can have
 * typed anything. A public page works without, so it
 * says so only to a person who pressed a button. The source of this function runs in the head of every page, so it must not
 * refer to anything outside itself.
 */
export function watchEntry({
  pageDataId,
  noticeId,
  noticeClasses,
  reloadedKey,
  delayMs,
}: EntrySettings): void {
  let attempts = 0;
  let timer = 0;
  let isLooking = false;
  let entry = "";
  const say = (reason: "offline" | "broken") => {
    const { texts } = JSON.parse(document.getElementById(pageDataId)?.textContent || '{"texts":{}}');
    const text = texts.common?.parts[reason];
    if (!text) return;
    const notice = document.getElementById(noticeId) ?? document.createElement("p");
    notice.id = noticeId;
    notice.role = "alert";
    notice.className = noticeClasses;
    if (notice.textContent !== text) notice.textContent = text;
    document.body.append(notice);
  };
  /** A script that is there, but needs another one that is not, must not reload the page again and again. */
  const reloadFor = (file: string) => {
    try {
      if (sessionStorage.getItem(reloadedKey) === file) return;
      sessionStorage.setItem(reloadedKey, file);
    } catch {
      // Storage is blocked: the person reloads the page.
      return;
    }
    window.location.reload();
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    clearTimeout(timer);
    let reason: "offline" | "broken" = "offline";
    try {
      const page = await fetch(window.location.pathname, { cache: "no-store" });
      reason = "broken";
      const file = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text())?.[1] ?? entry;
      if ((await fetch(file, { cache: "no-store" })).ok) reloadFor(file);
    } catch {
      // Without an answer for the page there is no connection; without one for its script, the script is missing.
    }
    isLooking = false;
    if (!window.pageStart?.waitsForGesture || window.preHydration?.click) say(reason);
    timer = window.setTimeout(look, Math.min(delayMs.first * 2 ** attempts++, delayMs.longest));
  };
  const onError = ({ target }: Event) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== "module") return;
    entry = target.src;
    window.removeEventListener("error", onError, true);
    window.addEventListener("online", look);
    // After the click is noted.
    window.addEventListener("click", () => setTimeout(look), true);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look);
    else void look();
  };
  // An error of an element does not bubble.
  window.addEventListener("error", onError, true);
}
