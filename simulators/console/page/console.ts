import { showGoogle } from "./google.ts";
import { showMail } from "./mail.ts";
import { showPortal } from "./portal.ts";
import { showTelegram } from "./telegram.ts";

type Tab = { id: string; title: string; show: (main: HTMLElement) => Promise<() => void> };

const TABS: Tab[] = [
  { id: "portal", title: "Portal", show: showPortal },
  { id: "telegram", title: "Telegram", show: showTelegram },
  { id: "mail", title: "Mail", show: showMail },
  { id: "google", title: "Google", show: showGoogle },
];

const main = document.querySelector("main") as HTMLElement;
const nav = document.querySelector("nav") as HTMLElement;
let leave = () => {};
let turn = 0;

async function open(tab: Tab): Promise<void> {
  turn += 1;
  const mine = turn;
  leave();
  leave = () => {};
  for (const link of nav.querySelectorAll("a")) {
    link.setAttribute("aria-current", link.hash === `#${tab.id}` ? "page" : "false");
  }
  // A ground of its own: a tab that was left while it loaded shows nothing in the next one.
  const ground = document.createElement("div");
  ground.style.display = "contents";
  main.replaceChildren(ground);
  const leaveTab = await tab.show(ground);
  if (mine === turn) leave = leaveTab;
  else leaveTab();
}

for (const tab of TABS) {
  const link = document.createElement("a");
  link.textContent = tab.title;
  link.href = `#${tab.id}`;
  nav.append(link);
}

const openFromAddress = () => open(TABS.find((tab) => tab.id === location.hash.slice(1)) ?? (TABS[0] as Tab));
addEventListener("hashchange", openFromAddress);

const site = (await (await fetch("/api/site")).json()) as { siteUrl: string };
(document.querySelector("#site") as HTMLAnchorElement).href = site.siteUrl;
await openFromAddress();
