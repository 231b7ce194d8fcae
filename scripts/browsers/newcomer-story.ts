import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { click, expectText, fill, type RemoteBrowser, waitFor } from "./remote-browser.ts";

const SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400,ascensor/";

const WIDE = [1280, 800] as const;
const NARROW = [390, 844] as const;

export interface Places {
  site: string;
  /** Of the simulators. */
  console: string;
}

/** From the landing page to the first alert, to its home, in a list, opened and in a narrow window, and to the rules of the search. */
export async function tellNewcomerStory(
  browser: RemoteBrowser,
  places: Places,
  onStep: (step: string) => void,
): Promise<void> {
  const { auth, filter, landing, finds, rules } = textsOf(["auth", "filter", "landing", "finds", "rules"]);
  await browser.goTo(places.site);
  await click(browser, "main button", landing.hero.cta);
  await fill(browser, auth.fields.fullName.label, "Ana García");
  await fill(browser, auth.fields.email.label, `${randomUUID()}@example.com`);
  await fill(browser, auth.fields.password.label, `violet harbour ${randomUUID()}`);
  await click(browser, "[role=dialog] button[type=submit]", auth.signUp.submit);
  onStep("signed up");

  await fill(browser, filter.url.label, SEARCH);
  await expectText(browser, "Trafalgar, Chamberí");
  await click(browser, "main button", filter.steps.next);
  onStep("pasted a search");

  const link = await waitFor("the link to Telegram", () =>
    browser.evaluate<string | null>(`document.querySelector('main a[href*="start="]')?.href ?? null`),
  );
  const chat = await connectChat(places.console, link);
  await click(browser, "main button", filter.steps.save);
  await expectText(browser, filter.messages.successInitial);
  onStep("connected a chat and saved");

  await post(`${places.console}/api/portal/listings`, { url: SEARCH });
  await waitFor("the alert", async () =>
    (await textsIn(places.console, chat)).includes("New in Trafalgar") ? true : null,
  );
  onStep("the alert arrived");
  await browser.goTo(`${places.site}/finds`);
  await waitFor("the home in the list", () =>
    browser.evaluate<true | null>(`document.querySelector("[role=feed] article") ? true : null`),
  );
  await expectText(browser, finds.actions.keep);
  onStep("the home is in the list");

  await browser.resize(...WIDE);
  await browser.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
  await browser.resize(...NARROW);
  const [seen = 0, all = 0] = await waitFor("the narrow window", async () => {
    const widths = await browser.evaluate<number[]>("[innerWidth, document.documentElement.scrollWidth]");
    return (widths[0] ?? 0) < WIDE[0] / 2 ? widths : null;
  });
  if (all > seen) throw new Error(`the page is ${all} px wide in a window of ${seen} px`);
  onStep(`nothing scrolls sideways in a window narrowed from ${WIDE[0]} to ${seen} px`);

  await click(browser, "[role=feed] article a[data-open]", "");
  await waitFor("the bar at the foot of the opened home", () =>
    browser.evaluate<true | null>(IS_BAR_AT_FOOT),
  );
  onStep("an opened home has its bar at the foot");
  await browser.goTo(`${places.site}/filter-settings`);
  await click(browser, "main h2 button", filter.folds.rules);
  await expectText(browser, rules.description);
  onStep("the rules of the search open");
}

const IS_BAR_AT_FOOT = `(() => {
  const bar = document.querySelector("[role=dialog] [data-keep-clear]")?.getBoundingClientRect();
  return bar && bar.height > 0 && Math.abs(bar.bottom - innerHeight) < 1 ? true : null;
})()`;

/** As the person does in Telegram: opens the link and presses Start. */
async function connectChat(console: string, link: string): Promise<number> {
  const { person } = await post<{ person: { id: number } }>(`${console}/api/telegram/people`, {
    firstName: "Ana",
    languageCode: "en",
    isStarted: false,
  });
  const start = new URL(link).searchParams.get("start");
  const url = `https://t.me/SerenoSimulatedBot?start=${start}`;
  await post(`${console}/api/telegram/people/${person.id}/open`, { url });
  return person.id;
}

async function textsIn(console: string, chat: number): Promise<string> {
  const answer = await fetch(`${console}/api/telegram/chats/${chat}?as=${chat}`);
  const { messages } = (await answer.json()) as { messages: { text?: string; caption?: string }[] };
  return messages.map(({ text, caption }) => text ?? caption).join("\n");
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function textsOf(namespaces: readonly string[]) {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../src/text/locales/en/${name}.json`, import.meta.url), "utf8"));
  return Object.fromEntries(namespaces.map((name) => [name, read(name)]));
}
