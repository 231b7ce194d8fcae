import { button, createDrawings, element, oneAtATime, setChildren } from "./element.ts";
import { act, ask, type ChatSummary, type ChatView, type Person, type State } from "./telegram-api.ts";
import { chatScreen } from "./telegram-chat.ts";
import { groupForm, linkForm, linkSheet, personForm } from "./telegram-forms.ts";

/** The Telegram tab: simulated people, their chats as their phones show them. Returns how to leave it. */
export async function showTelegram(main: HTMLElement): Promise<() => void> {
  const style = element("link", { rel: "stylesheet", href: "/telegram.css" });
  document.head.append(style);
  const tab = new TelegramTab(main);
  await tab.start();
  return () => {
    tab.leave();
    style.remove();
  };
}

class TelegramTab {
  readonly #people = element("div", { className: "tg-people" });
  readonly #chats = element("div", { className: "tg-chats" });
  readonly #message = element("output", {});
  readonly #frame = element("div", { className: "tg" });
  readonly #screen = chatScreen(() => this.#frame.classList.remove("open"));
  readonly #main: HTMLElement;
  #events: EventSource | undefined;
  #bot: State["bot"] = { username: "", firstName: "" };
  #personId: number | undefined;
  #chatId: number | undefined;
  readonly #drawingOf = createDrawings();
  readonly #refresh = oneAtATime(() => this.#load());

  constructor(main: HTMLElement) {
    this.#main = main;
  }

  async start(): Promise<void> {
    this.#bot = (await ask<State>("state")).bot;
    const hint = `Open a link to @${this.#bot.username}, or press Start.`;
    const side = element(
      "aside",
      {},
      this.#people,
      personForm((order) => this.#createPerson(order)),
      linkForm((url) => this.#offer(url)),
      this.#message,
      this.#chats,
      groupForm((order) => this.#createGroup(order)),
      element("p", { className: "muted" }, hint),
    );
    this.#frame.append(side, this.#screen.root);
    this.#main.append(this.#frame);
    await this.#refresh();
    this.#events = new EventSource("/api/telegram/events");
    for (const kind of ["chat", "people"]) this.#events.addEventListener(kind, () => void this.#refresh());
    this.#events.addEventListener("answer", (event) => {
      const { pressId } = JSON.parse(event.data) as { pressId: string };
      void this.#screen.answered(pressId);
    });
    const link = new URLSearchParams(location.search).get("open");
    if (link) this.#offer(link);
  }

  leave(): void {
    this.#events?.close();
  }

  async #load(): Promise<void> {
    const { people } = await ask<{ people: Person[] }>("people");
    const person = people.find(({ id }) => id === this.#personId) ?? people[0];
    // Only a first choice is made here: who was chosen meanwhile may be too new for this answer.
    this.#personId ??= person?.id;
    setChildren(
      this.#people,
      people.map((one) => {
        const isChosen = one === person;
        return this.#drawingOf(`person ${one.id}`, { one, isChosen }, () =>
          this.#personButton(one, isChosen),
        );
      }),
    );
    if (person === undefined) return;
    const { chats: all } = await ask<{ chats: ChatSummary[] }>(`chats?person=${person.id}`);
    const chats = all.filter(({ migratedTo }) => migratedTo === null);
    this.#chatId = all.find(({ id }) => id === this.#chatId)?.migratedTo ?? this.#chatId;
    const chat = chats.find(({ id }) => id === this.#chatId) ?? chats.find(({ id }) => id === person.id);
    const buttons = chats.map((one) => {
      const isChosen = one === chat;
      return this.#drawingOf(`chat ${one.id}`, { one, isChosen }, () => this.#chatButton(one, isChosen));
    });
    const picker = this.#drawingOf("language", person, () => languagePicker(person));
    setChildren(this.#chats, [picker, ...buttons]);
    if (chat === undefined) return;
    this.#screen.show(person, this.#bot.firstName, await ask<ChatView>(`chats/${chat.id}?as=${person.id}`));
  }

  #personButton(person: Person, isChosen: boolean): HTMLElement {
    const made = button(person.firstName, () => this.#choose(person.id));
    made.prepend(element("span", { className: "tg-face", ariaHidden: "true" }, person.firstName.slice(0, 1)));
    made.setAttribute("aria-pressed", String(isChosen));
    return made;
  }

  #chatButton(chat: ChatSummary, isChosen: boolean): HTMLElement {
    const title = chat.kind === "private" ? this.#bot.firstName : chat.title;
    const made = button("", () => this.#open(chat.id));
    const time = chat.lastAt
      ? new Date(chat.lastAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
      : "";
    made.append(
      element("span", { className: "tg-face", ariaHidden: "true" }, chat.kind === "private" ? "🏮" : "👥"),
      element("span", {}, element("strong", {}, title), element("small", {}, chat.lastText || chat.kind)),
      element("time", {}, time),
    );
    made.setAttribute("aria-pressed", String(isChosen));
    return made;
  }

  async #choose(personId: number): Promise<void> {
    if (this.#personId !== personId || this.#chatId !== personId) this.#screen.clear();
    this.#personId = personId;
    this.#chatId = personId;
    await this.#refresh();
  }

  async #open(chatId: number): Promise<void> {
    if (this.#chatId !== chatId) this.#screen.clear();
    this.#chatId = chatId;
    this.#frame.classList.add("open");
    await this.#refresh();
  }

  #createPerson(order: object): Promise<void> {
    return this.#attempt(async () => {
      const { person } = await act("people", order);
      if (person !== undefined) await this.#choose(person.id);
    });
  }

  #createGroup(order: object): Promise<void> {
    return this.#attempt(async () => {
      const { chat } = await act("chats", { ...order, creatorId: this.#personId });
      if (chat === undefined) return;
      await act(`chats/${chat.id}/add-bot`, { by: this.#personId });
      await this.#open(chat.id);
    });
  }

  async #attempt(deed: () => Promise<void>): Promise<void> {
    this.#message.textContent = "";
    try {
      await deed();
    } catch (error) {
      this.#message.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** A link to the bot: somebody has to be the one who opens it. */
  #offer(url: string): void {
    const sheet = linkSheet({
      url,
      botName: this.#bot.firstName,
      open: async (personId, chatId) => {
        await act(`people/${personId}/open`, { url, ...(chatId === undefined ? {} : { chatId }) });
        this.#personId = personId;
        history.replaceState(null, "", "/#telegram");
        await this.#open(chatId ?? personId);
      },
    });
    this.#main.append(sheet);
    sheet.showModal();
  }
}

const LANGUAGES: Record<string, string> = {
  en: "English",
  es: "Español",
  ru: "Русский",
  de: "Deutsch",
  fr: "Français",
};

function languagePicker(person: Person): HTMLElement {
  const select = element(
    "select",
    { ariaLabel: `${person.firstName}'s language` },
    ...Object.entries(LANGUAGES).map(([value, title]) => element("option", { value }, title)),
  );
  select.value = person.languageCode ?? "en";
  select.addEventListener("change", () => {
    void act(`people/${person.id}`, { languageCode: select.value }, "PATCH");
  });
  const id = element("code", {}, String(person.id));
  return element("p", { className: "tg-person" }, element("strong", {}, person.firstName), select, id);
}
