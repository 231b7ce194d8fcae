import { button, element } from "./element.ts";
import { act, ask, type ChatSummary, type Person } from "./telegram-api.ts";

const NAMES = ["Ana", "Ben", "Chloé", "Dmitri", "Elena", "Felix", "Gala", "Hugo"];

type PersonOrder = { firstName: string; languageCode: string };

/** A new person with a name and a language. */
export function personForm(create: (order: PersonOrder) => Promise<void>): HTMLElement {
  const name = element("input", { ariaLabel: "Name", placeholder: "Name" });
  const language = element("select", { ariaLabel: "Language" });
  for (const code of ["en", "es", "ru", "de", "fr"]) language.append(element("option", {}, code));
  const form = element("form", { className: "row" }, name, language, element("button", {}, "Create"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const firstName = name.value.trim() || randomName();
    name.value = "";
    details.open = false;
    await create({ firstName, languageCode: language.value });
  });
  const details = element("details", {}, element("summary", {}, "New person"), form);
  return details;
}

export function groupForm(create: (order: { title: string; kind: string }) => Promise<void>): HTMLElement {
  const title = element("input", { ariaLabel: "Group's name", placeholder: "Flat hunters" });
  const kind = element("select", { ariaLabel: "Kind" });
  for (const name of ["group", "supergroup", "channel"]) kind.append(element("option", {}, name));
  const form = element("form", { className: "row" }, title, kind, element("button", {}, "Create"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const order = { title: title.value.trim() || "Flat hunters", kind: kind.value };
    title.value = "";
    details.open = false;
    await create(order);
  });
  const details = element("details", {}, element("summary", {}, "New group with the bot"), form);
  return details;
}

export function linkForm(open: (url: string) => void): HTMLElement {
  const url = element("input", { ariaLabel: "Telegram link", placeholder: "https://t.me/…?start=…" });
  const form = element("form", { className: "row" }, url, element("button", {}, "Open"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (url.value.trim()) open(url.value.trim());
    url.value = "";
  });
  return element("details", {}, element("summary", {}, "Open a link"), form);
}

type LinkSheet = {
  url: string;
  botName: string;
  open: (personId: number, chatId?: number) => Promise<void>;
};

/** Asks who opens the link, and for a group's link into which group. */
export function linkSheet({ url, botName, open }: LinkSheet): HTMLDialogElement {
  const isForGroup = /[?&]startgroup\b/.test(url);
  const choices = element("div", { className: "tg-choices" });
  const problem = element("output", {});
  const dialog = element(
    "dialog",
    { className: "tg-sheet", ariaLabel: "Who opens the link?" },
    element("h2", {}, isForGroup ? `Which group does ${botName} join?` : "Who presses Start?"),
    element("p", { className: "muted" }, url),
    choices,
    problem,
  );
  dialog.append(button("Close", () => dialog.close()));
  const choose = async (personId: number, chatId?: number) => {
    try {
      await open(personId, chatId);
      dialog.close();
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  dialog.addEventListener("close", () => dialog.remove());
  void offerPeople(choices, { isForGroup, choose });
  return dialog;
}

type Offer = { isForGroup: boolean; choose: (personId: number, chatId?: number) => Promise<void> };

async function offerPeople(choices: HTMLElement, { isForGroup, choose }: Offer): Promise<void> {
  const { people } = await ask<{ people: Person[] }>("people");
  const offers = await Promise.all(
    people.map(async (person) => {
      if (!isForGroup) return [choice(person.firstName, () => choose(person.id))];
      const { chats } = await ask<{ chats: ChatSummary[] }>(`chats?person=${person.id}`);
      return chats
        .filter(({ kind }) => kind !== "private" && kind !== "channel")
        .map((chat) => choice(`${person.firstName} in ${chat.title}`, () => choose(person.id, chat.id)));
    }),
  );
  choices.append(
    ...offers.flat(),
    choice(isForGroup ? "A new group" : "Someone new", () => bringNew(isForGroup, choose)),
  );
}

async function bringNew(isForGroup: boolean, choose: Offer["choose"]): Promise<void> {
  const { person } = await act("people", {
    firstName: randomName(),
    languageCode: navigator.language.slice(0, 2),
  });
  if (person === undefined) return;
  if (!isForGroup) return choose(person.id);
  const { chat } = await act("chats", { kind: "group", title: "Flat hunters", creatorId: person.id });
  return choose(person.id, chat?.id);
}

function choice(title: string, deed: () => Promise<void>): HTMLElement {
  const made = button(title, deed);
  made.prepend(element("span", { className: "tg-face", ariaHidden: "true" }, title.slice(0, 1)));
  return made;
}

function randomName(): string {
  return NAMES[Math.floor(Math.random() * NAMES.length)] ?? "Ana";
}
