import { act, ask, oneAtATime } from "./api.ts";
import { choiceButton, createList, element, form, select } from "./element.ts";
import { type Faults, faultChoice } from "./fault-choice.ts";
import { ChatScreen, type ChatSummary, type ChatView, type Person } from "./telegram-chat.ts";
import { linkDialog, randomName } from "./telegram-link.ts";

const LOGIN_FAULTS: Record<string, string> = {
  "": "The next sign-in goes well",
  refused: "Telegram refuses the next sign-in",
  "expired-code": "Its code has expired",
  "token-down": "Telegram's token service is down",
  "bad-signature": "Its ID token is signed with a foreign key",
  "other-bot": "Its ID token is for another bot",
  "with-nonce": "Its ID token has the nonce",
  "foreign-nonce": "Its ID token has another nonce",
};

type Bot = { username: string; firstName: string; hasInlineMode: boolean };
type Chosen<Item> = Item & { isChosen: boolean };

/** The simulated people and their chats, as their phones show them. Returns a function that cleans up. */
export async function showTelegram(ground: HTMLElement): Promise<() => void> {
  const bot = await ask<Bot>("telegram/bot");
  const tab = new TelegramTab(bot, await ask<Faults>("telegram-login"));
  ground.append(tab.root);
  await tab.refresh();
  const url = new URLSearchParams(location.search).get("open");
  if (url) {
    const dialog = linkDialog(url, (personId, chatId) => tab.openLink(url, personId, chatId));
    ground.append(dialog);
    dialog.showModal();
  }
  const events = new EventSource("/api/telegram/events");
  for (const kind of ["open", "chat", "people"]) events.addEventListener(kind, () => void tab.refresh());
  events.addEventListener("answer", (event) => void tab.screen.answered(JSON.parse(event.data).pressId));
  return () => events.close();
}

class TelegramTab {
  readonly root = element("div", { className: "tg" });
  readonly screen: ChatScreen;
  readonly #people = element("div", { className: "tg-people" });
  readonly #chats = element("div", { className: "tg-chats" });
  readonly #showPeople = createList<Chosen<Person>>(this.#people, idOf, ({ id, firstName, isChosen }) => {
    const made = choiceButton(firstName, isChosen, () => this.#open(id, id));
    made.prepend(face(firstName.slice(0, 1)));
    return made;
  });
  readonly #showChats: (chats: readonly Chosen<ChatSummary>[]) => void;
  readonly refresh = oneAtATime(() => this.#load());
  /** The selected person and chat. A new object for every selection. */
  #choice: { personId?: number | undefined; chatId?: number | undefined } = {};

  constructor({ username, firstName, hasInlineMode }: Bot, faults: Faults) {
    this.screen = new ChatScreen(firstName, () => this.root.classList.remove("open"));
    this.#showChats = createList<Chosen<ChatSummary>>(this.#chats, idOf, (chat) =>
      chatButton(chat, firstName, () => this.#openChat(chat.id)),
    );
    const newPerson = personForm((order) => this.#createPerson(order));
    const newGroup = groupForm((order) => this.#createGroup(order));
    const hint = `Open a link to @${username} on the site, or press Start.`;
    const note = element("p", { className: "muted" }, hint);
    const inline = inlineModeSwitch(hasInlineMode);
    const nextLogin = faultChoice("telegram-login", faults, LOGIN_FAULTS);
    const side = element(
      "aside",
      {},
      this.#people,
      newPerson,
      this.#chats,
      newGroup,
      note,
      inline,
      nextLogin,
    );
    this.root.append(side, this.screen.root);
  }

  async openLink(url: string, personId: number, chatId?: number): Promise<void> {
    await act(`telegram/people/${personId}/open`, { url, ...(chatId === undefined ? {} : { chatId }) });
    history.replaceState(null, "", "/#telegram");
    this.root.classList.add("open");
    await this.#open(personId, chatId ?? personId);
  }

  async #load(): Promise<void> {
    const choice = this.#choice;
    // Drop the answer if the selection has changed: a button in it would be pressed by another person.
    const isOvertaken = () => choice !== this.#choice;
    const { people } = await ask<{ people: Person[] }>("telegram/people");
    if (isOvertaken()) return;
    const person = people.find(({ id }) => id === choice.personId) ?? people[0];
    choice.personId ??= person?.id;
    this.#showPeople(people.map((one) => ({ ...one, isChosen: one === person })));
    if (person === undefined) return;
    const { chats } = await ask<{ chats: ChatSummary[] }>(`telegram/chats?person=${person.id}`);
    if (isOvertaken()) return;
    choice.chatId = chats.find(({ id }) => id === choice.chatId)?.migratedTo ?? choice.chatId;
    const chat = chats.find(({ id }) => id === choice.chatId) ?? chats.find(({ id }) => id === person.id);
    const shown = chats.filter(({ migratedTo }) => migratedTo === null);
    this.#showChats(shown.map((one) => ({ ...one, isChosen: one === chat })));
    if (chat === undefined) return;
    const view = await ask<ChatView>(`telegram/chats/${chat.id}?as=${person.id}`);
    if (!isOvertaken()) this.screen.show(person, view);
  }

  async #open(personId: number | undefined, chatId: number): Promise<void> {
    if (this.#choice.personId !== personId || this.#choice.chatId !== chatId) this.screen.clear();
    this.#choice = { personId, chatId };
    await this.refresh();
  }

  async #openChat(chatId: number): Promise<void> {
    this.root.classList.add("open");
    await this.#open(this.#choice.personId, chatId);
  }

  async #createPerson(order: object): Promise<void> {
    const { person } = await act<{ person: Person }>("telegram/people", order);
    await this.#open(person.id, person.id);
  }

  async #createGroup(order: object): Promise<void> {
    const by = this.#choice.personId;
    const { chat } = await act<{ chat: { id: number } }>("telegram/chats", { ...order, creatorId: by });
    await act(`telegram/chats/${chat.id}/add-bot`, { by });
    await this.#openChat(chat.id);
  }
}

/** What the bot's owner chooses at @BotFather: with it, new alerts have "Send to…". */
function inlineModeSwitch(isOn: boolean): HTMLElement {
  const box = element("input", { type: "checkbox", checked: isOn });
  box.addEventListener("change", () => void act("telegram/bot", { hasInlineMode: box.checked }, "PUT"));
  return element("label", {}, box, " Inline mode: new alerts offer “Send to…”");
}

const idOf = ({ id }: { id: number }) => id;

function face(letter: string): HTMLElement {
  return element("span", { className: "tg-face", ariaHidden: "true" }, letter);
}

function chatButton(chat: Chosen<ChatSummary>, botName: string, open: () => unknown): HTMLElement {
  const isPrivate = chat.kind === "private";
  const made = choiceButton("", chat.isChosen, open);
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  made.append(
    face(isPrivate ? "🏮" : "👥"),
    element(
      "span",
      {},
      element("strong", {}, isPrivate ? botName : chat.title),
      element("small", {}, chat.lastText || chat.kind),
    ),
    element("time", {}, chat.lastAt ? new Date(chat.lastAt).toLocaleTimeString([], time) : ""),
  );
  return made;
}

function personForm(create: (order: object) => Promise<void>): HTMLElement {
  const name = element("input", { ariaLabel: "Name", placeholder: "Name" });
  const language = select("Language", ["en", "es", "ru", "de", "fr"]);
  const submit = async () => {
    details.open = false;
    await create({ firstName: name.value.trim() || randomName(), languageCode: language.value });
    name.value = "";
  };
  const fields = [name, language, element("button", {}, "Create")];
  const details = element("details", {}, element("summary", {}, "New person"), form(fields, submit));
  return details;
}

function groupForm(create: (order: object) => Promise<void>): HTMLElement {
  const kind = select("Kind", ["group", "supergroup", "channel"]);
  const submit = () => {
    details.open = false;
    return create({ title: "Flat hunters", kind: kind.value });
  };
  const title = element("summary", {}, "New group with the bot");
  const details = element("details", {}, title, form([kind, element("button", {}, "Create")], submit));
  return details;
}
