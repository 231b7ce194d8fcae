import { button, createDrawings, element, setChildren } from "./element.ts";
import { type Answer, act, ask, type ChatView, type Message, type Person } from "./telegram-api.ts";
import { messageElement } from "./telegram-message.ts";

export type ChatScreen = {
  root: HTMLElement;
  show: (person: Person, botName: string, view: ChatView) => void;
  /** Before another chat is there: what is pressed meanwhile must not be the last one's. */
  clear: () => void;
  /** The bot's answer to a pressed button, as a phone shows it for a moment. */
  toast: (text: string) => void;
  answered: (pressId: string) => Promise<void>;
};

const STANDING_NOTES: Record<string, string> = {
  blocked: "The bot is blocked",
  deactivated: "This account is deleted",
  kicked: "The bot was removed",
  left: "The bot is not in here",
  muted: "The bot may not write here",
  "photos-muted": "The bot may not send photos here",
  migrated: "This group became a supergroup",
  deleted: "This chat is deleted",
  admin: "The bot is an administrator",
};

/** The phone's right half: one chat, its keyboard and the line to write in. */
export function chatScreen(goBack: () => void): ChatScreen {
  const title = element("h2", {});
  const note = element("small", {});
  const actions = element("div", { className: "tg-actions" });
  const log = element("div", { className: "tg-log", ariaLabel: "Messages" });
  log.setAttribute("role", "log");
  const bar = element("div", { className: "tg-bar" });
  const bubble = element("output", { className: "tg-toast" });
  const back = element(
    "button",
    { type: "button", className: "tg-back", ariaLabel: "Back to the chats" },
    "‹",
  );
  back.addEventListener("click", goBack);
  const head = element("header", {}, back, element("div", {}, title, note), actions);
  const root = element("section", { className: "tg-chat" }, head, log, bubble, bar);
  const writer = messageWriter();
  const history = shownHistory();
  const drawingOf = createDrawings();
  const presses = new Set<string>();
  let fade = 0;

  const toast = (text: string) => {
    bubble.textContent = text;
    clearTimeout(fade);
    fade = setTimeout(() => {
      bubble.textContent = "";
    }, 4000);
  };
  const attempt = async (deed: () => Promise<unknown>) => {
    try {
      await deed();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
  const copy = (text: string) => {
    void navigator.clipboard?.writeText(text).then(() => toast("Copied"));
  };

  const show = (person: Person, botName: string, view: ChatView) => {
    const { chat } = view;
    const say = (text: string) => attempt(() => act(`people/${person.id}/say`, { chatId: chat.id, text }));
    const press = (message: Message, row: number, column: number) =>
      attempt(async () => {
        const order = { chatId: chat.id, messageId: message.message_id, row, column };
        const pressed = await act(`people/${person.id}/press`, order);
        if (pressed.press === undefined) return;
        presses.add(pressed.press.id);
        // A quick bot has answered before its question is known here.
        await answered(pressed.press.id);
      });
    title.textContent = chat.kind === "private" ? botName : chat.title;
    note.textContent = view.action
      ? `${botName} is ${view.action}…`
      : (STANDING_NOTES[chat.standing] ?? kindNote(view));
    setChildren(actions, chatButtons(person, view, { attempt, drawingOf }));
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    const isOther = history.turnTo(`${person.id} ${chat.id}`);
    if (isOther) bubble.textContent = "";
    const messages = view.messages.map((message) =>
      history.elementOf(message, () => messageElement(message, person.id, { press, say, copy })),
    );
    setChildren(log, messages.length > 0 ? messages : [emptyNote(botName)]);
    if (isAtEnd || isOther) log.scrollTop = log.scrollHeight;
    setChildren(bar, barContent(person, view, { writer, say, attempt, drawingOf }));
  };

  const answered = async (pressId: string) => {
    if (!presses.has(pressId)) return;
    const { answer } = await ask<{ answer: Answer }>(`presses/${pressId}`);
    if (answer === null || !presses.delete(pressId)) return;
    if (answer.text) toast(answer.text);
  };
  return { root, show, clear: () => emptyAll([actions, log, bar]), toast, answered };
}

function emptyAll(parts: readonly HTMLElement[]): void {
  for (const part of parts) part.replaceChildren();
}

/** Keeps what is already on the screen as it is, so that only what is new moves. */
function shownHistory() {
  let place = "";
  const shown = new Map<number, { as: string; element: HTMLElement }>();
  return {
    /** Whether it is another chat, or another person's phone. */
    turnTo: (next: string): boolean => {
      const isOther = next !== place;
      if (isOther) shown.clear();
      place = next;
      return isOther;
    },
    elementOf: (message: Message, draw: () => HTMLElement): HTMLElement => {
      const as = JSON.stringify(message);
      const known = shown.get(message.message_id);
      if (known?.as === as) {
        known.element.classList.remove("new");
        return known.element;
      }
      const made = { as, element: draw() };
      if (known === undefined) made.element.classList.add("new");
      shown.set(message.message_id, made);
      return made.element;
    },
  };
}

type Attempt = (deed: () => Promise<unknown>) => Promise<void>;

function kindNote({ chat, members }: ChatView): string {
  if (chat.kind === "private") return "bot";
  return `${chat.kind}, ${members.length === 1 ? "1 member" : `${members.length} members`}`;
}

type Drawing = { attempt: Attempt; drawingOf: ReturnType<typeof createDrawings> };

function chatButtons(person: Person, { chat }: ChatView, { attempt, drawingOf }: Drawing): HTMLElement[] {
  const deed = (title: string, path: string, body: object = {}) =>
    drawingOf(title, { path, body }, () => button(title, () => attempt(() => act(path, body))));
  const path = `chats/${chat.id}`;
  if (chat.kind === "private") {
    return chat.standing === "ok" ? [deed("Block", `people/${person.id}/block`)] : [];
  }
  const by = { by: person.id };
  switch (chat.standing) {
    case "left":
    case "kicked":
      return [deed("Add the bot", `${path}/add-bot`, by)];
    case "ok":
    case "admin":
      return [
        ...(chat.standing === "ok" ? [deed("Make admin", `${path}/add-bot`, { ...by, isAdmin: true })] : []),
        ...(chat.kind === "group" ? [deed("Upgrade", `${path}/upgrade`)] : []),
        deed("Remove the bot", `${path}/remove-bot`, by),
      ];
    default:
      return [];
  }
}

type Bar = Drawing & { writer: Writer; say: (text: string) => Promise<void> };

/** Start, Unblock, or the line to write in: whichever a phone would offer. */
function barContent(
  person: Person,
  { chat, commands }: ChatView,
  { writer, say, attempt, drawingOf }: Bar,
): HTMLElement[] {
  const wideButton = (title: string, path: string) =>
    drawingOf("bar", { title, path }, () => wide(title, () => attempt(() => act(path))));
  const isNew = chat.kind === "private" && ["stranger", "never-started"].includes(chat.standing);
  if (isNew) return [wideButton("Start", `people/${person.id}/start`)];
  if (chat.standing === "blocked") return [wideButton("Unblock", `people/${person.id}/unblock`)];
  if (["deactivated", "migrated", "deleted"].includes(chat.standing)) return [];
  writer.use(chat.id, commands, say);
  return [writer.root];
}

function wide(title: string, deed: () => Promise<void>): HTMLElement {
  const made = button(title, deed);
  made.className = "tg-wide";
  return made;
}

type Writer = {
  root: HTMLElement;
  use: (chatId: number, commands: ChatView["commands"], say: (text: string) => Promise<void>) => void;
};

/** Keeps what is half written while messages come in. */
function messageWriter(): Writer {
  const input = element("input", {
    type: "text",
    ariaLabel: "Message",
    placeholder: "Message",
    autocomplete: "off",
  });
  const menu = element("div", { className: "tg-menu", hidden: true });
  const opener = element("button", { type: "button", ariaLabel: "Commands", className: "tg-slash" }, "/");
  const send = element("button", { ariaLabel: "Send", className: "tg-send" }, "➤");
  const root = element("form", {}, menu, opener, input, send);
  let say: (text: string) => Promise<void> = async () => {};
  let shownFor = "";
  opener.addEventListener("click", () => {
    menu.hidden = !menu.hidden;
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "") return;
    input.value = "";
    void say(text);
  });
  return {
    root,
    use: (chatId, commands, speak) => {
      say = speak;
      const key = `${chatId} ${JSON.stringify(commands)}`;
      if (key === shownFor) return;
      shownFor = key;
      menu.hidden = true;
      opener.hidden = commands.length === 0;
      menu.replaceChildren(
        ...commands.map(({ command, description }) => {
          const item = element(
            "button",
            { type: "button" },
            element("b", {}, `/${command}`),
            ` ${description}`,
          );
          item.addEventListener("click", () => {
            menu.hidden = true;
            void say(`/${command}`);
          });
          return item;
        }),
      );
    },
  };
}

function emptyNote(botName: string): HTMLElement {
  return element("p", { className: "empty" }, `Nothing yet. ${botName} writes here.`);
}
