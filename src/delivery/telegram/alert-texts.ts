import { type Translate, translatorOf } from "#text/translator.ts";

export type AlertTexts = Translate<"alert">;

export const alertTexts = translatorOf("alert");
