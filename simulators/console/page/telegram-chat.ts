import { act, ask } from "./api.ts";
import { button, createList, element, form } from "./element.ts";
import { openMiniApp, type Place } from "./mini-app.ts";
import { type Message, messageElement } from "./telegram-message.ts";

export type Person = { id: number; firstName: string };

export type ChatSummary = {
  id: number;
  kind: "private" | "group" | "supergroup" | "channel";
  title: string;
  standing: string;
  /** The supergroup that replaced the group. */
  migratedTo: number | null;
  lastAt: number;
  lastText: string;
};

export type ChatView = {
  chat: ChatSummary;
  memberCount: number;
  menuButton: { type: string; text?: string } | null;
  commands: { command: string; description: string }[];
  messages: Message[];
};

const STANDING_NOTES: Record<string, string> = {
  blocked: "The bot is blocked",
  kicked: "The bot was removed",
  left: "The bot is not in here",
  muted: "The bot may not write here",
  admin: "The bot is an administrator",
};

type Action = { title: string; path: string; body: object };

/** The right half of the phone: a chat with its buttons and the input field. */
export class ChatScreen {
  readonly #title = element("h2", {});
  readonly #note = element("small", {});
  readonly #actions = element("div", { className: "row" });
  readonly #app = element("div", { className: "row" });
  readonly #onPhone = element("input", { type: "checkbox" });
  readonly #log = element("div", { className: "tg-log", role: "log", ariaLabel: "Messages" });
  readonly #bar = element("div", { className: "tg-bar" });
  readonly #toast = element("output", { className: "tg-toast" });
  readonly #botName: string;
  readonly #presses = new Set<string>();
  readonly #writer = messageWriter((text) => this.#say(text));
  readonly #showActions = createList<Action>(this.#actions, titleOf, (action) => this.#button(action));
  readonly #showStart = createList<Action>(this.#bar, titleOf, (action) => this.#button(action));
  #showMessages = (_messages: readonly Message[]) => {};
  #place = { personId: 0, chatId: 0 };
  #fade = 0;
  readonly root: HTMLElement;

  constructor(botName: string, goBack: () => void) {
    this.#botName = botName;
    const back = button("‹", goBack);
    back.className = "tg-back";
    back.ariaLabel = "Back to the chats";
    const head = element(
      "header",
      {},
      back,
      element("div", {}, this.#title, this.#note),
      this.#app,
      this.#actions,
    );
    this.root = element("section", { className: "tg-chat" }, head, this.#log, this.#toast, this.#bar);
  }

  show(person: Person, { chat, memberCount, menuButton, commands, messages }: ChatView): void {
    const log = this.#log;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    const isOther = this.#place.personId !== person.id || this.#place.chatId !== chat.id;
    if (isOther) this.#turnTo(person.id, chat.id);
    this.#title.textContent = chat.kind === "private" ? this.#botName : chat.title;
    const kindNote = chat.kind === "private" ? "bot" : `${chat.kind}, members: ${memberCount}`;
    this.#note.textContent = STANDING_NOTES[chat.standing] ?? kindNote;
    this.#showActions(actionsIn(person, chat));
    this.#showAppButton(menuButton);
    this.#showMessages(messages);
    if (isAtEnd || isOther) log.scrollTop = log.scrollHeight;
    const start = startIn(person, chat);
    if (start !== undefined) this.#showStart([start]);
    else if (this.#writer.root.parentElement === null) this.#bar.replaceChildren(this.#writer.root);
    this.#writer.setCommands(commands);
  }

  /** Clears the view while another chat loads, so that buttons of the previous chat cannot be pressed. */
  clear(): void {
    this.#place = { personId: 0, chatId: 0 };
    for (const part of [this.#actions, this.#log, this.#bar]) part.replaceChildren();
  }

  /** Shows the bot's answer to a pressed button for a moment, as a phone does. */
  async answered(pressId: string): Promise<void> {
    if (!this.#presses.has(pressId)) return;
    const { answer } = await ask<{ answer: { text: string } | null }>(`telegram/presses/${pressId}`);
    if (answer !== null && this.#presses.delete(pressId) && answer.text) this.#showToast(answer.text);
  }

  #turnTo(personId: number, chatId: number): void {
    this.#place = { personId, chatId };
    this.#toast.textContent = "";
    const actions = {
      say: (text: string) => this.#say(text),
      press: (message: Message, row: number, column: number) =>
        this.#press({ messageId: message.message_id, row, column }),
      openApp: (message: Message, text: string) =>
        this.#attempt(() =>
          openMiniApp(
            personId,
            { way: "button", chatId, messageId: message.message_id, text },
            this.#appPlace(),
          ),
        ),
    };
    const draw = (message: Message) => messageElement(message, personId, actions);
    this.#showMessages = createList<Message>(this.#log, (message) => message.message_id, draw);
  }

  #showAppButton(menuButton: ChatView["menuButton"]): void {
    this.#app.replaceChildren();
    if (menuButton?.type !== "web_app") return;
    const { personId } = this.#place;
    const open = () => this.#attempt(() => openMiniApp(personId, { way: "menu" }, this.#appPlace()));
    const onPhone = element("label", {}, this.#onPhone, " apps open as on a phone");
    this.#app.append(button(`☰ ${menuButton.text}`, open), onPhone);
  }

  #appPlace(): Place {
    return this.#onPhone.checked ? "window" : "frame";
  }

  #say(text: string): Promise<void> {
    const { personId, chatId } = this.#place;
    return this.#attempt(() => act(`telegram/people/${personId}/say`, { chatId, text }));
  }

  #press(which: object): Promise<void> {
    const { personId, chatId } = this.#place;
    return this.#attempt(async () => {
      const order = { chatId, ...which };
      const { press } = await act<{ press?: { id: string } }>(`telegram/people/${personId}/press`, order);
      if (press === undefined) return;
      this.#presses.add(press.id);
      // A fast bot may answer before the press is known here.
      await this.answered(press.id);
    });
  }

  #button({ title, path, body }: Action): HTMLElement {
    return button(title, () => this.#attempt(() => act(`telegram/${path}`, body)));
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#showToast(error instanceof Error ? error.message : String(error));
    }
  }

  #showToast(text: string): void {
    this.#toast.textContent = text;
    clearTimeout(this.#fade);
    this.#fade = setTimeout(() => {
      this.#toast.textContent = "";
    }, 4000);
  }
}

const titleOf = ({ title }: Action) => title;

function actionsIn({ id }: Person, { id: chatId, kind, standing }: ChatSummary): Action[] {
  if (kind === "private") {
    return standing === "ok" ? [{ title: "Block", path: `people/${id}/block`, body: {} }] : [];
  }
  const isOutside = standing === "left" || standing === "kicked";
  return isOutside
    ? [{ title: "Add the bot", path: `chats/${chatId}/add-bot`, body: { by: id } }]
    : [{ title: "Remove the bot", path: `chats/${chatId}/remove-bot`, body: { by: id } }];
}

/** What a phone shows instead of the input field. */
function startIn({ id }: Person, { kind, standing }: ChatSummary): Action | undefined {
  if (kind !== "private") return undefined;
  if (standing === "blocked") return { title: "Unblock", path: `people/${id}/unblock`, body: {} };
  return standing === "ok" ? undefined : { title: "Start", path: `people/${id}/start`, body: {} };
}

/** Keeps the typed text while messages arrive. */
function messageWriter(say: (text: string) => Promise<void>) {
  const input = element("input", {
    type: "text",
    ariaLabel: "Message",
    placeholder: "Message",
    autocomplete: "off",
  });
  const menu = element("div", { className: "tg-menu", hidden: true });
  const opener = button("/", () => {
    menu.hidden = !menu.hidden;
  });
  opener.ariaLabel = "Commands";
  const send = element("button", { ariaLabel: "Send", className: "tg-send" }, "➤");
  const root = form([menu, opener, input, send], () => {
    const text = input.value.trim();
    input.value = "";
    if (text !== "") void say(text);
  });
  const showMenu = createList<ChatView["commands"][number]>(
    menu,
    ({ command }) => command,
    ({ command, description }) =>
      button(`/${command} ${description}`, () => {
        menu.hidden = true;
        return say(`/${command}`);
      }),
  );
  return {
    root,
    setCommands: (commands: ChatView["commands"]) => {
      opener.hidden = commands.length === 0;
      showMenu(commands);
    },
  };
}
