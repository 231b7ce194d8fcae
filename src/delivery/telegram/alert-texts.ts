import { type Translate, translatorOf } from "#text/translator.ts";

export type AlertTexts = Translate<"alert">;

export const alertTexts = translatorOf("alert");

/** What a pressed button says is the bot's word; an edited message says the same. */
export const markTexts = translatorOf("bot");
