import { createHeldTelegramClock } from "./clock.ts";
import type { Message } from "./model.ts";
import { createPerson } from "./phone/create.ts";
import { startTelegramSimulator, type TelegramSimulatorOptions } from "./start-telegram-simulator.ts";

interface ApiAnswer<Result> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly ok: boolean;
    readonly result: Result;
    readonly error_code?: number;
    readonly description?: string;
    readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
  };
}

/** A simulator with a held clock, and a client that calls it as a bot. */
export async function startTestTelegram(options: TelegramSimulatorOptions = {}) {
  const clock = createHeldTelegramClock(Date.UTC(2026, 2, 2, 10));
  const telegram = await startTelegramSimulator({ clock, localWebhooks: true, ...options });
  const call = async <Result = Message>(
    method: string,
    parameters: object = {},
  ): Promise<ApiAnswer<Result>> => {
    const response = await fetch(`${telegram.url}/bot${telegram.bot.token}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(parameters),
    });
    const body = (await response.json()) as ApiAnswer<Result>["body"];
    return { status: response.status, headers: response.headers, body };
  };
  /** A person who has pressed Start. */
  const person = (firstName = "Ana") => createPerson(telegram, { firstName, isStarted: true }).id;
  return { telegram, clock, call, person };
}

export function description({ body }: ApiAnswer<unknown>): string {
  return `${body.error_code} ${body.description}`;
}
