import type { Context } from "grammy";
import type { Language } from "#core/languages.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { showText } from "../conversation/edit-message.ts";
import type { Commands, Presses } from "../conversation/subject.ts";
import { help, stop, web } from "./help.ts";
import { chooseLanguage, language } from "./language.ts";
import { latest } from "./latest.ts";
import { mute, unmute } from "./mute.ts";
import { pause, resume } from "./pause.ts";
import { pressZone } from "./quiet-zone.ts";
import { pressReceives, shortlist } from "./shortlist.ts";
import { id, start } from "./start.ts";
import { status } from "./status.ts";

/** In a chat without a confirmed account /pause and /resume only mute and unmute the chat. */
export const CHAT_COMMANDS = {
  start: { run: start, isForUnconfirmed: true },
  id: { run: id, isForUnconfirmed: true },
  help: { run: help, isForUnconfirmed: true },
  web: { run: web, isForUnconfirmed: true },
  stop: { run: stop, isForUnconfirmed: true },
  language: { run: language, isForUnconfirmed: true, isForAdministrators: true },
  pause: { run: pause, isForUnconfirmed: true, isForAdministrators: true },
  resume: { run: resume, isForUnconfirmed: true, isForAdministrators: true },
  shortlist: { run: shortlist, isForAdministrators: true },
  status: { run: status },
  latest: { run: latest },
} as const satisfies Commands;

export const CHAT_PRESSES = {
  mute: { run: mute, isForUnconfirmed: true, isForMembers: true },
  unmute: { run: unmute, isForUnconfirmed: true, isForMembers: true },
  receives: { run: (conversation, ctx, { receives }) => pressReceives(conversation, ctx, receives) },
  zone: { run: pressZone },
  speak: {
    run: (conversation, ctx, press) => pressLanguage(conversation, ctx, press.language),
    isForUnconfirmed: true,
  },
} as const satisfies Presses;

async function pressLanguage(conversation: Conversation, ctx: Context, chosen: Language): Promise<string> {
  const spoken = await chooseLanguage(conversation, chosen);
  await showText(ctx, spoken.t("language_chosen"));
  return spoken.plain("language_chosen");
}
