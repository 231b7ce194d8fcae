import type { Sql } from "postgres";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import type { ChannelMessage, SendOutcome } from "#core/ports/channel.ts";
import {
  dropFarewell,
  type Farewell,
  moveFarewell,
  postponeFarewell,
  takeFarewell,
} from "#store/outbox/farewells.ts";
import type { Clock } from "./clock.ts";
import type { DeliveryLogger } from "./delivery-logger.ts";
import { floodDelayMs } from "./retry-delay.ts";

export interface FarewellOptions {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly logger: DeliveryLogger;
  readonly random: () => number;
  /** Sends within the limits that alerts keep; undefined where they leave no room now. */
  readonly send: (message: ChannelMessage) => Promise<SendOutcome | undefined>;
}

const LEASE_MS = 60_000;
const NO_ROOM_MS = 2_000;
const RETRY_MS = 30_000;

/** Tells chats that an account whose alerts they got is no more. These are nobody's alerts, so the outbox cannot hold them. */
export class Farewells {
  readonly #options: FarewellOptions;
  #sending: Promise<void> | undefined;

  constructor(options: FarewellOptions) {
    this.#options = options;
  }

  /** Begins with what is due, beside whatever else is sent. */
  begin(): void {
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => this.#options.logger.warn({ err: error }, "a farewell could not be said"))
      .finally(() => (this.#sending = undefined));
  }

  async settled(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    const { sql, clock, send } = this.#options;
    for (;;) {
      const nowMs = clock.now();
      const farewell = await takeFarewell(sql, { nowMs, untilMs: nowMs + LEASE_MS });
      if (farewell === undefined) return;
      const outcome = await send(messageOf(farewell));
      await this.#settle(farewell.chatId, outcome);
      if (outcome === undefined) return;
    }
  }

  async #settle(chatId: string, outcome: SendOutcome | undefined): Promise<void> {
    const { sql, clock } = this.#options;
    const later = (ms: number) => postponeFarewell(sql, chatId, clock.now() + ms);
    switch (outcome?.type) {
      case "sent":
      case "closed":
      case "hopeless":
        return dropFarewell(sql, chatId);
      case "moved":
        return moveFarewell(sql, chatId, outcome.toChatId);
      case "flood":
        return later(floodDelayMs(outcome.retryAfterMs, this.#options.random));
      case undefined:
        return later(NO_ROOM_MS);
      default:
        return later(RETRY_MS);
    }
  }
}

function messageOf({ chatId, language }: Farewell): ChannelMessage {
  return {
    chatId,
    userId: "",
    language: language ?? DEFAULT_LANGUAGE,
    news: [{ kind: "account-deleted", payload: {} }],
    replyTo: null,
  };
}
