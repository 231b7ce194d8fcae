import type { Sql } from "postgres";

/** What is logged never names a chat, a person or the token. */
export interface BotLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the conversation needs of the world around it. */
export interface BotParts {
  readonly sql: Sql;
  /** The bot's name without the @. */
  readonly username: string;
  /** Where the website is. */
  readonly siteUrl: string;
  /** Where links to bots begin: https://t.me */
  readonly linkUrl: string;
  readonly now: () => number;
  readonly logger: BotLogger;
}
