import { LOAD_DELAY_MS, TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { PAGE_DATA_ID } from "../lib/site/page-data.ts";
import { NOTICE_CLASSES, NOTICE_ID } from "./start-failure.ts";

interface EntrySettings {
  /** The script that all other scripts of the page depend on. */
  entry: string;
  pageDataId: string;
  noticeId: string;
  noticeClasses: string;
  reloadedKey: string;
  delayMs: typeof LOAD_DELAY_MS;
}

/** Source of an inline script for the case that the first script of the page is missing: then nothing else can say so. */
export function entryFailureScript(entry: string): string {
  const settings: EntrySettings = {
    entry,
    pageDataId: PAGE_DATA_ID,
    noticeId: NOTICE_ID,
    noticeClasses: NOTICE_CLASSES,
    reloadedKey: TAB_STORAGE_KEYS.reloadedFor,
    delayMs: LOAD_DELAY_MS,
  };
  return `(${watchEntry})(${JSON.stringify(settings)})`;
}

/**
 * Says that the page could not be loaded, and reloads it once its first script is there. A public page works without, so it
 * says so only to a person who pressed a button. The source of this function runs in the head of every page, so it must not
 * refer to anything outside itself.
 */
function watchEntry({
  entry,
  pageDataId,
  noticeId,
  noticeClasses,
  reloadedKey,
  delayMs,
}: EntrySettings): void {
  let attempts = 0;
  let timer = 0;
  let isLooking = false;
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
    if (!(target instanceof HTMLScriptElement) || target.getAttribute("src") !== entry) return;
    window.removeEventListener("error", onError, true);
    window.addEventListener("online", look);
    // After the click is held.
    window.addEventListener("click", () => setTimeout(look), true);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look);
    else void look();
  };
  // An error of an element does not bubble.
  window.addEventListener("error", onError, true);
}
