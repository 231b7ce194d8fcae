import { button, element } from "./element.ts";

type Entity = { type: string; offset: number; length: number; url?: string };

type Button = { text: string; url?: string; web_app?: object };

export type Message = {
  message_id: number;
  date: number;
  edit_date?: number;
  from?: { id: number; is_bot: boolean; first_name: string };
  text?: string;
  entities?: Entity[];
  caption?: string;
  caption_entities?: Entity[];
  /** The URL of the picture. */
  pictureUrl?: string;
  document?: { file_name: string; file_size: number };
  link_preview_options?: { url?: string };
  reply_markup?: { inline_keyboard: Button[][] };
  reply_to_message?: Message;
  new_chat_members?: { first_name: string }[];
  left_chat_member?: { first_name: string };
  migrate_to_chat_id?: number;
  write_access_allowed?: object;
  migrate_from_chat_id?: number;
};

type MessageActions = {
  press: (message: Message, row: number, column: number) => Promise<void>;
  openApp: (message: Message, text: string) => Promise<void>;
  say: (text: string) => Promise<void>;
};

const NEW_TAB = { target: "_blank", rel: "noopener noreferrer" };

/** One message as a phone shows it. Service messages are centred. */
export function messageElement(message: Message, viewerId: number, actions: MessageActions): HTMLElement {
  const service = serviceText(message);
  if (service !== undefined) return element("p", { className: "tg-service" }, service);
  const { from, reply_to_message: repliedTo, pictureUrl, link_preview_options: preview } = message;
  const isOwn = from?.id === viewerId;
  const bubble = element("div", { className: "tg-bubble" });
  if (from && !isOwn && !from.is_bot) bubble.append(element("strong", {}, from.first_name));
  if (repliedTo) {
    const quoted = repliedTo.text ?? repliedTo.caption ?? "Photo";
    bubble.append(element("blockquote", { className: "tg-quote" }, quoted.split("\n")[0] ?? ""));
  }
  if (pictureUrl) bubble.append(pictureOf(pictureUrl));
  if (message.document) {
    const { file_name: name, file_size: bytes } = message.document;
    bubble.append(element("div", {}, `📄 ${name} · ${Math.ceil(bytes / 1024)} KB`));
  }
  const body = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  if (body) bubble.append(element("div", { className: "tg-text" }, ...textNodes(body, entities, actions)));
  if (preview?.url) {
    const { hostname, pathname } = new URL(preview.url);
    const site = element("strong", {}, hostname);
    bubble.append(element("a", { className: "tg-quote", href: preview.url, ...NEW_TAB }, site, pathname));
  }
  const time = new Date(message.date * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  bubble.append(element("small", {}, message.edit_date ? `edited ${time}` : time));
  const rows = message.reply_markup?.inline_keyboard ?? [];
  const keyboard = rows.map((row, index) =>
    element(
      "div",
      { className: "tg-keys" },
      ...row.map(({ text, url, web_app }, column) => {
        if (web_app) return button(text, () => actions.openApp(message, text));
        return url
          ? element("a", { href: url, ...NEW_TAB }, `${text} ↗`)
          : button(text, () => actions.press(message, index, column));
      }),
    ),
  );
  return element("article", { className: isOwn ? "tg-message own" : "tg-message" }, bubble, ...keyboard);
}

function serviceText(message: Message): string | undefined {
  const who = message.from?.first_name ?? "Someone";
  if (message.new_chat_members) {
    return `${who} added ${message.new_chat_members.map((member) => member.first_name).join(", ")}`;
  }
  if (message.left_chat_member) return `${who} removed ${message.left_chat_member.first_name}`;
  if (message.write_access_allowed) return `${who} allowed the bot to write`;
  if (message.migrate_to_chat_id) return "This group was upgraded to a supergroup";
  if (message.migrate_from_chat_id) return "Upgraded from a group";
  return undefined;
}

/** A placeholder that depends on the URL: the console fetches nothing from outside. */
function pictureOf(url: string): HTMLElement {
  const picture = element("div", { className: "tg-photo", role: "img", title: url }, "🏘️");
  picture.ariaLabel = "Picture of the listing";
  const hue = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0);
  picture.style.setProperty("--hue", String(hue));
  return picture;
}

/** Splits the text where entities begin and end, and applies to each piece all entities that cover it. */
function textNodes(text: string, entities: Entity[], actions: MessageActions): Node[] {
  const cuts = new Set([0, text.length]);
  for (const { offset, length } of entities) cuts.add(offset).add(offset + length);
  const places = [...cuts].toSorted((one, other) => one - other);
  return places.slice(0, -1).map((from, index) => {
    const piece = text.slice(from, places[index + 1]);
    const covering = entities.filter(({ offset, length }) => offset <= from && from < offset + length);
    return covering.reduceRight<Node>((node, entity) => {
      const whole = text.slice(entity.offset, entity.offset + entity.length);
      return wrap(entity, whole, node, actions);
    }, document.createTextNode(piece));
  });
}

const TAGS: Record<string, keyof HTMLElementTagNameMap> = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
};

function wrap({ type, url }: Entity, whole: string, inner: Node, actions: MessageActions): Node {
  if (type === "url" || type === "text_link") return element("a", { href: url ?? whole, ...NEW_TAB }, inner);
  if (type !== "bot_command") return element(TAGS[type] ?? "span", {}, inner);
  const command = button("", () => actions.say(whole));
  command.append(inner);
  return command;
}
