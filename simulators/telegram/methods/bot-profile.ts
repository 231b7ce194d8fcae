import { z } from "zod";
import { requireReachable } from "../chat-access.ts";
import type { Chat, MenuButton, MenuCommand, Person } from "../model.ts";
import { badRequest } from "../refusal.ts";
import { isAppUrl } from "../reply-markup.ts";
import { notify, type World } from "../world.ts";
import { json, type Method, readParameters, text } from "./method.ts";

const PLACE = z.strictObject({
  scope: json(
    z.strictObject({
      type: z.enum(["default", "all_private_chats", "all_group_chats", "chat"]),
      chat_id: z.union([z.string(), z.int()]).optional(),
    }),
  ),
  language_code: text,
});
const COMMANDS = PLACE.extend({
  commands: json(z.array(z.strictObject({ command: z.string(), description: z.string() }))),
});

type Place = z.infer<typeof PLACE>;

export const setMyCommands: Method = (call) => {
  const { commands, ...place } = readParameters(call, COMMANDS);
  if (commands === undefined) throw badRequest("expected an Array of BotCommand");
  if (commands.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  call.world.menus.set(menuKey(place), commands.map(checkCommand));
  notify(call.world, { type: "people" });
  return true;
};

export const getMyCommands: Method = (call) =>
  call.world.menus.get(menuKey(readParameters(call, PLACE))) ?? [];

const MENU_BUTTON = json(
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.enum(["commands", "default"]) }),
    z.strictObject({
      type: z.literal("web_app"),
      text: z.string(),
      web_app: z.strictObject({ url: z.string() }),
    }),
  ]),
);

export const setChatMenuButton: Method = (call) => {
  const schema = z.strictObject({ chat_id: text, menu_button: MENU_BUTTON });
  const { chat_id = "", menu_button: button = { type: "default" as const } } = readParameters(call, schema);
  requirePrivate(call.world, chat_id);
  if (button.type === "web_app") {
    if (button.text.trim() === "") throw badRequest("menu button text must be non-empty");
    if (!isAppUrl(button.web_app.url)) throw badRequest("BUTTON_URL_INVALID");
  }
  call.world.menuButtons.set(chat_id, button);
  notify(call.world, { type: "people" });
  return true;
};

export const getChatMenuButton: Method = (call) => {
  const { chat_id = "" } = readParameters(call, z.strictObject({ chat_id: text }));
  requirePrivate(call.world, chat_id);
  return menuButtonIn(call.world, chat_id);
};

/** A chat's own button, unless it is the default; then that of all chats. */
export function menuButtonIn({ menuButtons }: World, chatId: string): MenuButton {
  const own = menuButtons.get(chatId);
  return own && own.type !== "default" ? own : (menuButtons.get("") ?? { type: "commands" });
}

function requirePrivate(world: World, chatId: string): void {
  if (chatId !== "" && requireReachable(world, chatId).kind !== "private")
    throw badRequest("chat must be a private chat");
}

export const setMyDescription = setProfileText("description", 512);
export const getMyDescription = getProfileText("description");
export const setMyShortDescription = setProfileText("short_description", 120);
export const getMyShortDescription = getProfileText("short_description");

/** The command menu in a chat: the narrowest scope first, and within it the person's language, then the default. */
export function menuFor(
  { menus }: World,
  { languageCode = "" }: Person,
  { id, kind }: Chat,
): readonly MenuCommand[] {
  const scopes = [`chat:${id}`, kind === "private" ? "all_private_chats" : "all_group_chats", "default"];
  const keys = scopes.flatMap((scope) => [`${scope} ${languageCode.slice(0, 2).toLowerCase()}`, `${scope} `]);
  return keys.map((key) => menus.get(key) ?? []).find((menu) => menu.length > 0) ?? [];
}

function menuKey({ scope = { type: "default" }, language_code }: Place): string {
  const place = scope.type === "chat" ? `chat:${scope.chat_id}` : scope.type;
  return `${place} ${checkLanguage(language_code)}`;
}

function checkLanguage(code = ""): string {
  if (!/^([a-z]{2})?$/.test(code)) throw badRequest("invalid language code specified");
  return code;
}

function checkCommand(given: MenuCommand): MenuCommand {
  const command = given.command.replace(/^\//, "");
  const description = given.description.trim();
  if (command === "") throw badRequest("command must be non-empty");
  if (command.length > 32) throw badRequest("command length must not exceed 32");
  if (description === "") throw badRequest("command description must be non-empty");
  if (description.length > 256) throw badRequest("command description length must not exceed 256");
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
  return { command, description };
}

type ProfileText = "description" | "short_description";

function setProfileText(name: ProfileText, limit: number): Method {
  const schema = z.strictObject({ [name]: text, language_code: text });
  return (call) => {
    const { language_code, [name]: value = "" } = readParameters(call, schema);
    if (value.length > limit) throw badRequest(`${name.replace("_", " ")} is too long`);
    call.world.descriptions.set(`${name} ${checkLanguage(language_code)}`, value);
    return true;
  };
}

function getProfileText(name: ProfileText): Method {
  const schema = z.strictObject({ language_code: text });
  return (call) => {
    const { descriptions } = call.world;
    const language = checkLanguage(readParameters(call, schema).language_code);
    return { [name]: descriptions.get(`${name} ${language}`) || (descriptions.get(`${name} `) ?? "") };
  };
}
