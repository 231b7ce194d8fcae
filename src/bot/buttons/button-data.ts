import { type ButtonPress, formatCallbackData, parseCallbackData } from "#core/alert/callback-data.ts";
import { isLanguage, type Language } from "#core/languages.ts";

/** The buttons of alerts, and those that only the conversation has. */
export type BotPress =
  | ButtonPress
  | { readonly act: "undo"; readonly propertyCode: string }
  | { readonly act: "unmute" }
  | { readonly act: "speak"; readonly language: Language };

type OwnPress = Exclude<BotPress, ButtonPress>;

export function formatButton(press: OwnPress): string {
  switch (press.act) {
    case "undo":
      return `u:${press.propertyCode}`;
    case "unmute":
      return "w";
    case "speak":
      return `l:${press.language}`;
  }
}

/** Undefined for whatever no button of ours says. */
export function parseButton(text: string): BotPress | undefined {
  if (text === "w") return { act: "unmute" };
  const rest = text.slice(2);
  if (text.startsWith("l:")) return isLanguage(rest) ? { act: "speak", language: rest } : undefined;
  if (!text.startsWith("u:")) return parseCallbackData(text);
  // A code that can be hidden can be shown again.
  const isCode = formatCallbackData({ act: "hide", propertyCode: rest }) !== undefined;
  return isCode ? { act: "undo", propertyCode: rest } : undefined;
}
