import { translatorOf } from "#text/translator.ts";

export const alertTexts = translatorOf("alert");

/** What a pressed button says is the bot's word; an edited message says the same. */
export const markTexts = translatorOf("bot");
