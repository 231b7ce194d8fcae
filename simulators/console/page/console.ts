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

async function open(tab: Tab): Promise<void> {
  leave();
  for (const link of nav.querySelectorAll("a")) {
    link.setAttribute("aria-current", link.hash === `#${tab.id}` ? "page" : "false");
  }
  main.replaceChildren();
  leave = await tab.show(main);
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
