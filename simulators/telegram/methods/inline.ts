// Inline mode: https://core.telegram.org/bots/api#answerinlinequery
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badRequest } from "../refusal.ts";
import { checkKeyboard, replyMarkup } from "../reply-markup.ts";
import { checkLink } from "../text/check-link.ts";
import { finishText } from "../text/entity.ts";
import { parseHtml } from "../text/parse-html.ts";
import { type Call, flag, integer, json, type Method, readParameters, text } from "./method.ts";

/** How long a query can be answered. */
const ANSWERABLE_MS = 30_000;
const RESULTS_LIMIT = 50;
const ID_BYTES = 64;
const CAPTION_LIMIT = 1024;
const TEXT_LIMIT = 4096;

const common = {
  id: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  reply_markup: replyMarkup.optional(),
};
const preview = z.strictObject({
  is_disabled: z.boolean().optional(),
  url: z.string().optional(),
  prefer_large_media: z.boolean().optional(),
});
const article = z.strictObject({
  type: z.literal("article"),
  ...common,
  title: z.string(),
  input_message_content: z.strictObject({
    message_text: z.string(),
    parse_mode: z.literal("HTML").optional(),
    link_preview_options: preview.optional(),
  }),
});
const photo = z.strictObject({
  type: z.literal("photo"),
  ...common,
  photo_url: z.string(),
  thumbnail_url: z.string(),
  caption: z.string().optional(),
  parse_mode: z.literal("HTML").optional(),
});
const ANSWER = z.strictObject({
  inline_query_id: text,
  results: json(z.array(z.discriminatedUnion("type", [article, photo]))),
  cache_time: integer,
  is_personal: flag,
  next_offset: text,
});

type InlineResult = z.infer<typeof article> | z.infer<typeof photo>;

export const answerInlineQuery: Method = (call) => {
  const { world } = call;
  const {
    inline_query_id = "",
    results,
    cache_time = 300,
    is_personal = false,
  } = readParameters(call, ANSWER);
  const query = world.inlineQueries.get(inline_query_id);
  if (query === undefined || world.clock.now() - query.at > ANSWERABLE_MS) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  if (results === undefined) throw badRequest("can't parse inline query results: expected an Array");
  if (results.length > RESULTS_LIMIT) throw badRequest("RESULTS_TOO_MUCH");
  if (new Set(results.map(({ id }) => id)).size < results.length) throw badRequest("RESULT_ID_DUPLICATE");
  for (const result of results) checkResult(result);
  query.answer = { results, cacheTime: cache_time, isPersonal: is_personal };
  return true;
};

const PREPARED_FOR_MS = 3_600_000;
const PREPARED = z.strictObject({
  user_id: integer,
  result: json(z.discriminatedUnion("type", [article, photo])),
  allow_user_chats: flag,
  allow_bot_chats: flag,
  allow_group_chats: flag,
  allow_channel_chats: flag,
});

/** https://core.telegram.org/bots/api#savepreparedinlinemessage */
export const savePreparedInlineMessage: Method = (call) => {
  const { world } = call;
  const { user_id = 0, result, ...allows } = readParameters(call, PREPARED);
  if (result === undefined) throw badRequest("can't parse inline query result: expected an Object");
  if (!world.people.has(user_id)) throw badRequest("USER_ID_INVALID");
  checkResult(result);
  const allowed = [
    ...(allows.allow_user_chats ? (["private"] as const) : []),
    ...(allows.allow_group_chats ? (["group", "supergroup"] as const) : []),
    ...(allows.allow_channel_chats ? (["channel"] as const) : []),
  ];
  if (allowed.length === 0) throw badRequest("PEER_TYPES_INVALID");
  const id = randomUUID();
  const expiresAt = world.clock.now() + PREPARED_FOR_MS;
  world.preparedMessages.set(id, { personId: user_id, content: contentOf(call, result), allowed, expiresAt });
  return { id, expiration_date: Math.floor(expiresAt / 1000) };
};

function contentOf({ world }: Call, result: InlineResult): Record<string, unknown> {
  const markup = result.reply_markup === undefined ? {} : { reply_markup: result.reply_markup };
  if (result.type === "article")
    return { ...finishText(parseHtml(result.input_message_content.message_text)), ...markup };
  const { text: caption, entities } = finishText(parseHtml(result.caption ?? ""));
  return {
    photo: world.pictures.photoOf(result.photo_url),
    caption,
    caption_entities: entities,
    ...markup,
  };
}

function checkResult(result: InlineResult): void {
  if (result.id === "" || Buffer.byteLength(result.id) > ID_BYTES) throw badRequest("RESULT_ID_INVALID");
  checkKeyboard(result.reply_markup);
  if (result.type === "photo") {
    for (const url of [result.photo_url, result.thumbnail_url]) {
      if (!checkLink(url).isFine) throw badRequest("wrong HTTP URL specified");
    }
    if (parseHtml(result.caption ?? "").text.length > CAPTION_LIMIT)
      throw badRequest("MEDIA_CAPTION_TOO_LONG");
    return;
  }
  if (result.title.trim() === "") throw badRequest("ARTICLE_TITLE_EMPTY");
  const { text: shown } = parseHtml(result.input_message_content.message_text);
  if (shown.trim() === "") throw badRequest("message text is empty");
  if (shown.length > TEXT_LIMIT) throw badRequest("message is too long");
}
