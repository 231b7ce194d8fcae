import { button, element } from "./element.ts";
import type { Button, Entity, Message } from "./telegram-api.ts";
import { drawPicture } from "./telegram-picture.ts";

export type MessageActions = {
  press: (message: Message, row: number, column: number) => Promise<void>;
  say: (text: string) => void;
  copy: (text: string) => void;
};

/** One message as a phone shows it; what nobody wrote stands in the middle. */
export function messageElement(message: Message, viewerId: number, actions: MessageActions): HTMLElement {
  const service = serviceText(message);
  if (service !== undefined) return element("p", { className: "tg-service" }, service);
  const isOwn = message.from?.id === viewerId;
  const bubble = element("div", { className: "tg-bubble" });
  if (message.from && !isOwn && !message.from.is_bot) {
    bubble.append(element("strong", { className: "tg-author" }, message.from.first_name));
  }
  if (message.reply_to_message) bubble.append(quoteOf(message.reply_to_message));
  if (message.photo) bubble.append(pictureOf(message));
  const body = message.text ?? message.caption ?? "";
  if (body) {
    const entities = message.entities ?? message.caption_entities ?? [];
    bubble.append(element("div", { className: "tg-text" }, ...textNodes(body, entities, actions)));
  }
  const preview = previewOf(message);
  if (preview) bubble.append(preview);
  const time = new Date(message.date * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  bubble.append(element("small", {}, message.edit_date ? `edited ${time}` : time));
  const rows = message.reply_markup?.inline_keyboard ?? [];
  const keyboard = rows.map((row, index) => keyboardRow(row, index, message, actions));
  const made = element(
    "article",
    { className: isOwn ? "tg-message own" : "tg-message" },
    bubble,
    ...keyboard,
  );
  made.dataset.messageId = String(message.message_id);
  return made;
}

function serviceText(message: Message): string | undefined {
  const who = message.from?.first_name ?? "Someone";
  if (message.new_chat_members) {
    return `${who} added ${message.new_chat_members.map((member) => member.first_name).join(", ")}`;
  }
  if (message.left_chat_member) return `${who} removed ${message.left_chat_member.first_name}`;
  if (message.migrate_to_chat_id) return "This group was upgraded to a supergroup";
  if (message.migrate_from_chat_id) return "Upgraded from a group";
  return undefined;
}

function quoteOf(message: Message): HTMLElement {
  const text = message.text ?? message.caption ?? "Photo";
  return element(
    "blockquote",
    { className: "tg-quote" },
    element("strong", {}, message.from?.first_name ?? ""),
    element("span", {}, text.split("\n")[0] ?? ""),
  );
}

/** Uploaded pictures are shown; one by URL is drawn instead of fetched. */
function pictureOf({ photo, pictureUrl }: Message): HTMLElement {
  const picture =
    pictureUrl === undefined
      ? element("img", { src: `/api/telegram/files/${photo?.at(-1)?.file_id}`, alt: "Picture" })
      : drawPicture(pictureUrl);
  return element("div", { className: "tg-photo", title: pictureUrl ?? "" }, picture);
}

function previewOf(message: Message): HTMLElement | undefined {
  const { is_disabled: isDisabled, url } = message.link_preview_options ?? {};
  if (isDisabled || !url || !URL.canParse(url)) return undefined;
  return element(
    "a",
    { className: "tg-preview", href: url, target: "_blank", rel: "noopener noreferrer" },
    element("strong", {}, new URL(url).hostname.replace(/^www\./, "")),
    element("span", {}, new URL(url).pathname),
  );
}

function keyboardRow(row: Button[], index: number, message: Message, actions: MessageActions): HTMLElement {
  const keys = row.map((key, column) => {
    if (key.url) {
      return element("a", { href: key.url, target: "_blank", rel: "noopener noreferrer" }, `${key.text} ↗`);
    }
    if (key.copy_text) {
      const { text } = key.copy_text;
      return button(key.text, () => actions.copy(text));
    }
    return button(key.text, () => actions.press(message, index, column));
  });
  return element("div", { className: "tg-keys" }, ...keys);
}

/** The text cut where entities begin and end; each piece wears all that cover it. */
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
  blockquote: "q",
  expandable_blockquote: "q",
  pre: "pre",
};

function wrap(entity: Entity, whole: string, inner: Node, actions: MessageActions): Node {
  switch (entity.type) {
    case "code": {
      const made = element("button", { type: "button", className: "tg-code", title: "Copy" }, inner);
      made.addEventListener("click", () => actions.copy(whole));
      return made;
    }
    case "bot_command": {
      const made = element("button", { type: "button", className: "tg-command" }, inner);
      made.addEventListener("click", () => actions.say(whole));
      return made;
    }
    case "spoiler": {
      const made = element("span", { className: "tg-spoiler" }, inner);
      made.addEventListener("click", () => made.classList.add("open"));
      return made;
    }
    case "url":
    case "text_link": {
      const href = entity.url ?? whole;
      return element("a", { href, target: "_blank", rel: "noopener noreferrer" }, inner);
    }
    default: {
      const tag = TAGS[entity.type];
      return tag === undefined ? inner : element(tag, {}, inner);
    }
  }
}
