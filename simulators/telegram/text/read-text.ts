import { type Parameters, readJson, readString } from "../read-parameters.ts";
import { badRequest } from "../refusal.ts";
import { checkLink } from "./check-link.ts";
import { type Entity, type FormattedText, findEntities, sortEntities, trimText } from "./entity.ts";
import { parseHtml } from "./parse-html.ts";

const RAW_LIMIT = 32_768;
const ENTITY_TYPES = new Set([
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "blockquote",
  "expandable_blockquote",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
]);
/** Letters that show nothing; a text of these alone is an empty one. */
const INVISIBLE = /\s|\p{Default_Ignorable_Code_Point}|[\u2800\u3164\uffa0]/gu;

interface TextNames {
  readonly text: string;
  readonly entities: string;
}

/** The text of a request as it will stand in the chat: parsed, trimmed, with what Telegram finds by itself. */
export function readText(parameters: Parameters, names: TextNames): FormattedText {
  const raw = readString(parameters, names.text) ?? "";
  if (raw.length > RAW_LIMIT) throw badRequest("text is too long");
  if (!raw.isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
  const formatted = trimText(parse(raw.replaceAll("\r", "").replaceAll("\u0000", " "), parameters, names));
  return {
    text: formatted.text,
    entities: sortEntities([...formatted.entities, ...findEntities(formatted)]),
  };
}

export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, "") === "";
}

function parse(raw: string, parameters: Parameters, names: TextNames): FormattedText {
  const mode = (readString(parameters, "parse_mode") ?? "").toLowerCase();
  switch (mode) {
    case "":
    case "none":
      return { text: raw, entities: givenEntities(readJson(parameters, names.entities), raw) };
    case "html": {
      const parsed = parseHtml(raw);
      if (!parsed.isFine) throw badRequest(`can't parse entities: ${parsed.reason}`);
      return parsed;
    }
    case "markdown":
    case "markdownv2":
      throw badRequest("the simulator reads parse_mode HTML and entities, not Markdown");
    default:
      throw badRequest("unsupported parse_mode");
  }
}

function givenEntities(value: unknown, text: string): Entity[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest("can't parse entities: expected an Array of MessageEntity");
  return value.map((entity) => givenEntity(entity, text));
}

function givenEntity(value: unknown, text: string): Entity {
  const unreadable = (reason: string) => badRequest(`can't parse MessageEntity: ${reason}`);
  if (typeof value !== "object" || value === null) throw unreadable("expected an Object");
  const { type, offset, length, url, language, custom_emoji_id, user } = value as Record<string, unknown>;
  if (typeof offset !== "number") throw unreadable('Can\'t find field "offset"');
  if (typeof length !== "number") throw unreadable('Can\'t find field "length"');
  if (typeof type !== "string") throw unreadable('Can\'t find field "type"');
  if (!ENTITY_TYPES.has(type)) throw unreadable("Unsupported type specified");
  if (offset < 0) throw badRequest(`receive an entity with incorrect offset ${offset}`);
  if (length < 0) throw badRequest(`receive an entity with incorrect length ${length}`);
  if (offset > text.length) {
    throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
  }
  if (offset + length > text.length) {
    const places = `${offset} ends after the end of the text at UTF-16 offset ${offset + length}`;
    throw badRequest(`entity beginning at UTF-16 offset ${places}`);
  }
  return {
    type,
    offset,
    length,
    ...(type === "text_link" ? { url: linkOf(url) } : {}),
    ...(type === "pre" && typeof language === "string" ? { language } : {}),
    ...(type === "custom_emoji" ? { custom_emoji_id: String(custom_emoji_id) } : {}),
    ...(type === "text_mention" ? { user } : {}),
  };
}

function linkOf(url: unknown): string {
  if (typeof url !== "string") throw badRequest("can't parse MessageEntity: Can't find field \"url\"");
  const link = checkLink(url);
  if (!link.isFine) throw badRequest(`entity URL '${url}' is invalid: ${link.reason}`);
  return link.url;
}
