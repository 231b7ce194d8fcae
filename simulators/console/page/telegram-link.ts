import { act, ask } from "./api.ts";
import { button, element } from "./element.ts";
import type { ChatSummary, Person } from "./telegram-chat.ts";

const NAMES = ["Ana", "Ben", "Chloé", "Dmitri", "Elena", "Felix", "Gala", "Hugo"];

type Open = (personId: number, chatId?: number) => Promise<void>;

/** A link to the bot: asks which person opens it, and for a group link in which group. */
export function linkDialog(url: string, open: Open): HTMLDialogElement {
  const isForGroup = new URL(url).searchParams.has("startgroup");
  const choices = element("div", { className: "row" });
  const problem = element("output", {});
  const dialog = element(
    "dialog",
    { className: "tg-dialog", ariaLabel: "Who opens the link?" },
    element("h2", {}, isForGroup ? "Which group does the bot join?" : "Who presses Start?"),
    element("p", { className: "muted" }, url),
    choices,
    problem,
  );
  dialog.append(button("Close", () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  const offer = (title: string, choose: () => Promise<void>) =>
    choices.append(
      button(title, async () => {
        try {
          await choose();
          dialog.close();
        } catch (error) {
          problem.textContent = error instanceof Error ? error.message : String(error);
        }
      }),
    );
  void (isForGroup ? offerGroups(offer, open) : offerPeople(offer, open));
  return dialog;
}

type Offer = (title: string, choose: () => Promise<void>) => void;

async function offerPeople(offer: Offer, open: Open): Promise<void> {
  const { people } = await ask<{ people: Person[] }>("telegram/people");
  for (const { id, firstName } of people) offer(firstName, () => open(id));
  offer("Someone new", async () => open(await createPerson()));
}

async function offerGroups(offer: Offer, open: Open): Promise<void> {
  const { people } = await ask<{ people: Person[] }>("telegram/people");
  for (const { id, firstName } of people) {
    const { chats } = await ask<{ chats: ChatSummary[] }>(`telegram/chats?person=${id}`);
    for (const chat of chats.filter(({ kind }) => kind === "group" || kind === "supergroup")) {
      offer(`${firstName} in ${chat.title}`, () => open(id, chat.id));
    }
  }
  offer("A new group", async () => {
    const creatorId = await createPerson();
    const order = { kind: "group", title: "Flat hunters", creatorId };
    const { chat } = await act<{ chat: { id: number } }>("telegram/chats", order);
    await open(creatorId, chat.id);
  });
}

async function createPerson(): Promise<number> {
  const order = { firstName: randomName(), languageCode: navigator.language.slice(0, 2) };
  return (await act<{ person: Person }>("telegram/people", order)).person.id;
}

export function randomName(): string {
  return NAMES[Math.floor(Math.random() * NAMES.length)] ?? "Ana";
}
