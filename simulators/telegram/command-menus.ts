import type { Chat, Person } from "./model.ts";
import { badRequest } from "./refusal.ts";

export interface MenuCommand {
  readonly command: string;
  readonly description: string;
}

const PLAIN_SCOPES = ["default", "all_private_chats", "all_group_chats", "all_chat_administrators"];
const CHAT_SCOPES = ["chat", "chat_administrators", "chat_member"];

/** The menus of commands: one for each scope and language, the narrowest that fits is shown. */
export class CommandMenus {
  readonly #menus = new Map<string, readonly MenuCommand[]>();

  set(scope: string, language: string, commands: readonly MenuCommand[]): void {
    this.#menus.set(`${scope} ${language}`, commands);
  }

  get(scope: string, language: string): readonly MenuCommand[] {
    return this.#menus.get(`${scope} ${language}`) ?? [];
  }

  delete(scope: string, language: string): void {
    this.#menus.delete(`${scope} ${language}`);
  }

  /** What that person's phone offers in that chat: within a scope the language first, then everyone's. */
  shownTo(person: Person, chat: Chat): readonly MenuCommand[] {
    const language = (person.languageCode ?? "").slice(0, 2).toLowerCase();
    for (const scope of scopesFor(person, chat)) {
      for (const code of language === "" ? [""] : [language, ""]) {
        const menu = this.#menus.get(`${scope} ${code}`);
        if (menu !== undefined && menu.length > 0) return menu;
      }
    }
    return [];
  }
}

function scopesFor(person: Person, chat: Chat): string[] {
  if (chat.kind === "private") return [`chat:${chat.id}`, "all_private_chats", "default"];
  const isAdmin = ["creator", "administrator"].includes(chat.members.get(person.id) ?? "");
  return [
    `chat_member:${chat.id}:${person.id}`,
    ...(isAdmin ? [`chat_administrators:${chat.id}`] : []),
    `chat:${chat.id}`,
    ...(isAdmin ? ["all_chat_administrators"] : []),
    "all_group_chats",
    "default",
  ];
}

export function readScope(value: Readonly<Record<string, unknown>> | undefined): string {
  if (value === undefined) return "default";
  const { type } = value;
  if (typeof type !== "string") throw badRequest("can't parse BotCommandScope: Can't find field \"type\"");
  if (PLAIN_SCOPES.includes(type)) return type;
  if (!CHAT_SCOPES.includes(type))
    throw badRequest("can't parse BotCommandScope: Unsupported type specified");
  const field = (name: string) => {
    const id = value[name];
    if (id === undefined) throw badRequest(`can't parse BotCommandScope: Can't find field "${name}"`);
    return String(id);
  };
  return type === "chat_member"
    ? `${type}:${field("chat_id")}:${field("user_id")}`
    : `${type}:${field("chat_id")}`;
}

export function readLanguageCode(value: string | undefined): string {
  const code = value ?? "";
  if (code !== "" && !/^[a-z]{2}$/.test(code)) throw badRequest("invalid language code specified");
  return code;
}

export function readCommands(value: unknown): MenuCommand[] {
  if (!Array.isArray(value)) throw badRequest("expected an Array of BotCommand");
  if (value.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  const commands = value.map(readCommand);
  if (new Set(commands.map(({ command }) => command)).size < commands.length) {
    throw badRequest("BOT_COMMAND_INVALID");
  }
  return commands;
}

function readCommand(value: unknown): MenuCommand {
  if (typeof value !== "object" || value === null) throw badRequest("expected an Object for BotCommand");
  const { command: given, description: said } = value as Record<string, unknown>;
  if (typeof given !== "string") throw badRequest("can't parse BotCommand: Can't find field \"command\"");
  if (typeof said !== "string") throw badRequest("can't parse BotCommand: Can't find field \"description\"");
  const command = given.replace(/^\//, "");
  const description = said.trim();
  if (command === "") throw badRequest("command must be non-empty");
  if (command.length > 32) throw badRequest("command length must not exceed 32");
  if (description === "") throw badRequest("command description must be non-empty");
  if (description.length > 256) throw badRequest("command description length must not exceed 256");
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
  return { command, description };
}
