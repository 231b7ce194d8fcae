// Opens a Mini App as Telegram does: the address of a button or link, with a fragment that only the page can read.
// https://core.telegram.org/bots/webapps, and the ways to open one in the README.
import { menuButtonIn } from "../methods/bot-profile.ts";
import { type Chat, type Person, userOf } from "../model.ts";
import { requirePerson } from "../phone/create.ts";
import { badRequest } from "../refusal.ts";
import { findMessage, unixTime, type World } from "../world.ts";
import { type InitDataFields, signForThirdParties, signInitData } from "./sign-init-data.ts";

export type WayToOpen =
  | { readonly way: "menu" }
  | { readonly way: "button"; readonly chatId: number; readonly messageId: number; readonly text: string }
  /** https://t.me/<bot>?startapp=<parameter>: opens in any chat. */
  | {
      readonly way: "link";
      readonly parameter: string;
      readonly chatType: "private" | "group" | "supergroup";
    }
  /** A button in place of the keyboard, or above the results of inline mode. Telegram does not say who is there. */
  | { readonly way: "keyboard" | "inline"; readonly url: string };

export interface Look {
  readonly version: string;
  readonly platform: string;
  readonly theme: Readonly<Record<string, string>>;
}

const PARAMETER = /^[\w-]{0,512}$/;

/** The address that the client shows; `mainAppUrl` is the one that the bot's owner entered at @BotFather. */
export function openApp(
  world: World,
  personId: number,
  how: WayToOpen & Look & { readonly mainAppUrl?: string | undefined },
): string {
  const person = requirePerson(world, personId);
  const { url, fields } = opened(world, person, how);
  const fragment = new URLSearchParams({
    ...(fields === undefined ? {} : { tgWebAppData: signed(world, fields) }),
    ...(how.way === "inline" ? { tgWebAppBotInline: "1" } : {}),
    tgWebAppVersion: how.version,
    tgWebAppPlatform: how.platform,
    tgWebAppThemeParams: JSON.stringify(how.theme),
  });
  const address = new URL(url);
  address.hash = fragment.toString();
  return address.href;
}

function signed(world: World, fields: InitDataFields): string {
  const dated = { ...fields, auth_date: unixTime(world) };
  const signature = signForThirdParties(dated, world.bot.id);
  return signInitData({ ...dated, signature }, world.bot.token);
}

function opened(
  world: World,
  person: Person,
  how: WayToOpen & { readonly mainAppUrl?: string | undefined },
): { url: string; fields?: Record<string, string | object> } {
  if ("url" in how) return { url: how.url };
  const user = { ...userOf(person), allows_write_to_pm: isWritable(world.chats.get(person.id)) };
  if (how.way === "link") {
    if (!world.hasMainApp || how.mainAppUrl === undefined) throw badRequest("BOT_INVALID");
    if (!PARAMETER.test(how.parameter)) throw badRequest("START_PARAM_INVALID");
    const url = new URL(how.mainAppUrl);
    if (how.parameter !== "") url.searchParams.set("tgWebAppStartParam", how.parameter);
    const start = how.parameter === "" ? {} : { start_param: how.parameter };
    const fields = {
      user,
      chat_instance: String(BigInt(person.id) * 7_919n),
      chat_type: how.chatType,
      ...start,
    };
    return { url: url.href, fields };
  }
  // A query may be answered with a message in the person's name.
  const fields = { query_id: `AAF${person.id.toString(36)}${world.lastMessageId.toString(36)}`, user };
  if (how.way === "menu") {
    const button = menuButtonIn(world, String(person.id));
    if (button.type !== "web_app") throw badRequest("The chat has no button of an app");
    return { url: button.web_app.url, fields };
  }
  return { url: urlOfButton(world, person, how), fields };
}

function urlOfButton(world: World, person: Person, how: Extract<WayToOpen, { way: "button" }>): string {
  const chat = world.chats.get(how.chatId);
  const message = chat && findMessage(chat, how.messageId)?.message;
  const button = message?.reply_markup?.inline_keyboard.flat().find(({ text }) => text === how.text);
  if (chat?.id !== person.id || button?.web_app === undefined) throw badRequest("There is no such button");
  return button.web_app.url;
}

const isWritable = (chat: Chat | undefined) => chat?.standing === "ok";
