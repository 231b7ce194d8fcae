import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRequest, invoke } from "./answer-request.ts";
import { realTelegramClock, type TelegramClock } from "./clock.ts";
import { CommandMenus } from "./command-menus.ts";
import { Faults } from "./faults.ts";
import { FloodControl, type FloodLimits, TELEGRAM_LIMITS } from "./flood-control.ts";
import { Ledger } from "./ledger.ts";
import { findMethod } from "./methods/methods.ts";
import { Pictures } from "./pictures.ts";
import { UpdateQueue } from "./update-queue.ts";
import { Webhook } from "./webhook.ts";
import type { World } from "./world.ts";

/**
 * Telegram, pretended: the Bot API of one bot, the people and chats around it, and a hand on both. Written
 * from Telegram's documents and the source of its server; it knows nothing of the product that speaks to it.
 */
export interface TelegramSimulatorOptions {
  readonly host?: string;
  /** 0 or nothing: any free port. */
  readonly port?: number;
  readonly token?: string;
  readonly botUsername?: string;
  readonly botName?: string;
  readonly clock?: TelegramClock;
  /** On unless false; figures of your own otherwise. */
  readonly floodControl?: boolean | Partial<FloodLimits>;
  /** Takes webhooks over plain HTTP and on any port, as Telegram's server in local mode does. */
  readonly localWebhooks?: boolean;
  /** Whether /control answers. */
  readonly control?: boolean;
}

export interface TelegramSimulator extends World {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export const DEFAULT_TOKEN = "7000000001:AAH-simulated-bot-token-of-35-chars";
export const DEFAULT_BOT_USERNAME = "SerenoSimulatedBot";

export async function startTelegramSimulator(
  options: TelegramSimulatorOptions = {},
): Promise<TelegramSimulator> {
  const world = createWorld(options);
  const server = createServer((request, response) => {
    answerRequest(world, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(500, { "content-type": "application/json" });
      const description = `Internal Server Error: simulator: ${message}`;
      response.end(JSON.stringify({ ok: false, error_code: 500, description }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(world, {
    port,
    url: `http://${options.host ?? "127.0.0.1"}:${port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        world.webhook.stop();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  });
}

function createWorld(options: TelegramSimulatorOptions): World {
  const clock = options.clock ?? realTelegramClock;
  const token = options.token ?? DEFAULT_TOKEN;
  const updates = new UpdateQueue(clock);
  const world: World = {
    clock,
    bot: {
      id: Number(token.split(":")[0]),
      username: options.botUsername ?? DEFAULT_BOT_USERNAME,
      firstName: options.botName ?? "Sereno",
      token,
    },
    isTokenRevoked: false,
    people: new Map(),
    chats: new Map(),
    presses: new Map(),
    pictures: new Pictures(),
    menus: new CommandMenus(),
    descriptions: new Map(),
    updates,
    webhook: new Webhook(clock, updates),
    polling: { abort: undefined, lastConflictAt: 0, lastOffset: undefined, lastFinishedAt: 0 },
    faults: new Faults(clock),
    flood: new FloodControl(clock, limitsOf(options.floodControl ?? true)),
    ledger: new Ledger(),
    listeners: new Set(),
    isControlOn: options.control ?? false,
    isWebhookLocal: options.localWebhooks ?? false,
    lastMessageId: 0,
  };
  world.webhook.onReply = (body) => replyCall(world, body);
  return world;
}

function limitsOf(floodControl: boolean | Partial<FloodLimits>): FloodLimits | undefined {
  if (floodControl === false) return undefined;
  return { ...TELEGRAM_LIMITS, ...(floodControl === true ? {} : floodControl) };
}

/** A call given as the answer to a webhook: carried out, and nobody learns how it went. */
function replyCall(world: World, { method, ...values }: Record<string, unknown>): void {
  const known = findMethod(String(method));
  if (known === undefined || /^(get|setWebhook|deleteWebhook)/.test(known.name)) return;
  const parameters = { values: new Map(Object.entries(values)), files: new Map() };
  world.ledger.call(known.name);
  void invoke(known.method, { world, parameters, signal: new AbortController().signal });
}
