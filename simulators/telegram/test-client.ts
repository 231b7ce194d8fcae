import { createHeldTelegramClock } from "./clock.ts";
import type { Message } from "./model.ts";
import type { InlineKeyboard } from "./reply-markup.ts";
import {
  DEFAULT_TOKEN,
  startTelegramSimulator,
  type TelegramSimulatorOptions,
} from "./start-telegram-simulator.ts";

export interface TestMessage extends Message {
  readonly reply_markup: InlineKeyboard;
  readonly edits: readonly string[];
}

export interface ApiAnswer<Result> {
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

/** What control routes answer, as far as tests look at it. */
export interface ControlBody {
  readonly error: string;
  readonly person: { readonly id: number };
  readonly people: readonly { readonly id: number }[];
  readonly chat: { readonly id: number; readonly kind: string; readonly standing: string };
  readonly chats: readonly { readonly id: number }[];
  readonly commands: readonly { readonly command: string; readonly description: string }[];
  readonly messages: readonly TestMessage[];
  readonly deleted: readonly TestMessage[];
  readonly message: TestMessage;
  readonly action: string | null;
  readonly press: { readonly id: string };
  readonly url: string;
  readonly answer: { readonly text: string; readonly isAlert: boolean } | null;
  readonly totals: { readonly accepted: number; readonly refused: number; readonly unanswered: number };
}

/** A simulator on a held clock, with the two doors to it. */
export async function startTestTelegram(options: TelegramSimulatorOptions = {}) {
  const clock = createHeldTelegramClock(Date.UTC(2026, 2, 2, 10));
  const telegram = await startTelegramSimulator({ clock, control: true, localWebhooks: true, ...options });
  const call = async <Result = TestMessage>(
    method: string,
    parameters: object = {},
  ): Promise<ApiAnswer<Result>> => {
    const response = await fetch(`${telegram.url}/bot${options.token ?? DEFAULT_TOKEN}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(parameters),
    });
    const body = (await response.json()) as ApiAnswer<Result>["body"];
    return { status: response.status, headers: response.headers, body };
  };
  const control = async (route: string, body?: object): Promise<ControlBody> => {
    const [method = "GET", path = ""] = route.split(" ");
    const response = await fetch(`${telegram.url}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json() as Promise<ControlBody>;
  };
  /** A person who has pressed Start. */
  const person = async (order: object = {}): Promise<number> =>
    (await control("POST people", { isStarted: true, ...order })).person.id;
  return { telegram, clock, call, control, person };
}

export function description({ body }: ApiAnswer<unknown>): string {
  return `${body.error_code} ${body.description}`;
}
