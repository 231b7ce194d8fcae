import { createHeldTelegramClock } from "./clock.ts";
import { DEFAULT_TOKEN, startTelegramSimulator, type TelegramSimulatorOptions } from "./start-telegram-simulator.ts";

// biome-ignore lint/suspicious/noExplicitAny: what the tests read out of answers of every shape.
type Json = any;

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** A simulator on a held clock, with the two doors to it. */
export async function startTestTelegram(options: TelegramSimulatorOptions = {}) {
  const clock = createHeldTelegramClock(Date.UTC(2026, 2, 2, 10));
  const telegram = await startTelegramSimulator({ clock, control: true, localWebhooks: true, ...options });
  const call = async (method: string, parameters?: object): Promise<ApiAnswer> => {
    const response = await fetch(`${telegram.url}/bot${options.token ?? DEFAULT_TOKEN}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(parameters ?? {}),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const control = async (route: string, body?: object): Promise<Json> => {
    const [method = "GET", path = ""] = route.split(" ");
    const response = await fetch(`${telegram.url}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  /** A person who has pressed Start. */
  const person = async (order: object = {}): Promise<number> =>
    (await control("POST people", { isStarted: true, ...order })).person.id;
  return { telegram, clock, call, control, person };
}

export function description(answer: ApiAnswer): string {
  return `${answer.body.error_code} ${answer.body.description}`;
}
