// The simulated Telegram: the Bot API of one bot, people and chats, and a control API. Written from Telegram's documentation
// and the source of its server. It knows nothing about the product.
import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import { answerRequest } from "./answer-request.ts";
import { realTelegramClock, type TelegramClock } from "./clock.ts";
import { createControl } from "./control.ts";
import { Faults } from "./faults.ts";
import { FloodControl, type FloodLimits, TELEGRAM_LIMITS } from "./flood-control.ts";
import { Ledger } from "./ledger.ts";
import { Pictures } from "./pictures.ts";
import { UpdateQueue } from "./update-queue.ts";
import { Webhook } from "./webhook.ts";
import type { World } from "./world.ts";

export interface TelegramSimulatorOptions {
  readonly clock?: TelegramClock;
  /** On by default; false switches it off, and an object sets other limits. */
  readonly floodControl?: boolean | Partial<FloodLimits>;
  /** Accepts webhooks over plain HTTP and on any port, as Telegram's server does in local mode. */
  readonly localWebhooks?: boolean;
  /** Whether the bot's owner turned inline mode on; off by default, as for a new bot. */
  readonly inlineMode?: boolean;
  /** Whether /control is served. */
  readonly control?: boolean;
}

export interface TelegramSimulator extends World {
  readonly url: string;
  close(): Promise<void>;
}

const BOT = {
  id: 7_000_000_001,
  username: "SerenoSimulatedBot",
  firstName: "Sereno",
  token: "7000000001:AAH-simulated-bot-token-of-35-chars",
};

export async function startTelegramSimulator(
  options: TelegramSimulatorOptions = {},
): Promise<TelegramSimulator> {
  const world = createWorld(options);
  const { port, stop } = await listenOnLoopback(createListener(world, options.control ?? false));
  return Object.assign(world, {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      world.webhook.stop();
      return stop();
    },
  });
}

function createListener(world: World, hasControl: boolean): RequestListener {
  const control = getRequestListener(new Hono().route("/control", createControl(world)).fetch);
  return (request, response) => {
    if (hasControl && request.url?.startsWith("/control/")) {
      void control(request, response);
      return;
    }
    answerRequest(world, request, response).catch((error: unknown) => {
      const description = `Internal Server Error: simulator: ${String(error)}`;
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ ok: false, error_code: 500, description }));
    });
  };
}

function createWorld(options: TelegramSimulatorOptions): World {
  const clock = options.clock ?? realTelegramClock;
  const updates = new UpdateQueue();
  return {
    clock,
    bot: BOT,
    isTokenRevoked: false,
    hasInlineMode: options.inlineMode ?? false,
    hasPrivateTopics: false,
    hasMainApp: false,
    menuButtons: new Map(),
    inlineQueries: new Map(),
    preparedMessages: new Map(),
    people: new Map(),
    chats: new Map(),
    presses: new Map(),
    pictures: new Pictures(),
    documents: new Map(),
    menus: new Map(),
    descriptions: new Map(),
    updates,
    webhook: new Webhook(clock, updates),
    isWebhookLocal: options.localWebhooks ?? false,
    polling: { abort: undefined, lastConflictAt: 0, lastOffset: undefined, lastFinishedAt: 0 },
    faults: new Faults(clock),
    flood: new FloodControl(clock, limitsOf(options.floodControl)),
    ledger: new Ledger(),
    listeners: new Set(),
    lastMessageId: 0,
  };
}

function limitsOf(floodControl: TelegramSimulatorOptions["floodControl"] = true): FloodLimits | undefined {
  if (floodControl === false) return undefined;
  return { ...TELEGRAM_LIMITS, ...(floodControl === true ? {} : floodControl) };
}
