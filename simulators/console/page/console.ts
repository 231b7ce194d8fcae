import { act, ask } from "./api.ts";
import { element } from "./element.ts";
import { showGoogle } from "./google.ts";
import { showMail } from "./mail.ts";
import { showPortal } from "./portal.ts";
import { showTelegram } from "./telegram.ts";

/** Renders itself into an empty element and returns a function that cleans up. */
type Tab = (ground: HTMLElement) => Promise<() => void>;

const TABS: Record<string, Tab> = {
  Portal: showPortal,
  Telegram: showTelegram,
  Mail: showMail,
  Google: showGoogle,
};

const main = document.querySelector("main") as HTMLElement;
const nav = document.querySelector("nav") as HTMLElement;
let leave = () => {};
let turn = 0;

async function openFromAddress(): Promise<void> {
  turn += 1;
  const mine = turn;
  leave();
  leave = () => {};
  const links = [...nav.querySelectorAll("a")];
  const open = links.find(({ hash }) => hash === location.hash) ?? links[0];
  for (const link of links) link.setAttribute("aria-current", link === open ? "page" : "false");
  // A new element per tab, so that a tab that is still loading cannot render into the next one.
  const ground = element("div", { className: "ground" });
  main.replaceChildren(ground);
  const leaveTab = (await TABS[open?.textContent ?? ""]?.(ground)) ?? (() => {});
  if (mine === turn) leave = leaveTab;
  else leaveTab();
}

nav.append(...Object.keys(TABS).map((title) => element("a", { href: `#${title.toLowerCase()}` }, title)));
addEventListener("hashchange", openFromAddress);
const { siteUrl } = await ask<{ siteUrl: string }>("site");
(document.querySelector("#site") as HTMLAnchorElement).href = siteUrl;
const dayLater = document.querySelector("#day-later") as HTMLButtonElement;
dayLater.addEventListener("click", async () => {
  dayLater.disabled = true;
  dayLater.textContent = await act("day-later").then(
    () => "It is a day later",
    (error: Error) => error.message,
  );
  dayLater.disabled = false;
});
await openFromAddress();
