import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { keepUpdates } from "../rows/inbox.ts";
import { readUpdate } from "./read-update.ts";

const BODY_LIMIT = 1024 * 1024;

export type WebhookHandler = (request: Request) => Promise<Response>;

/** The path of the webhook. It cannot be guessed without the secret. */
export function webhookPathOf(secret: string): string {
  return `/telegram/${createHmac("sha256", secret).update("webhook path").digest("hex").slice(0, 32)}`;
}

export interface WebhookOptions {
  readonly sql: Sql;
  readonly secret: string;
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when the inbox has new updates. */
  readonly onUpdate: () => void;
}

/** Stores the update and answers at once. The update is handled from the inbox. */
export function createWebhook({ sql, secret, now, logger, onUpdate }: WebhookOptions): WebhookHandler {
  return async (request) => {
    if (request.method !== "POST") return answer(405);
    if (!isSecret(request.headers.get("x-telegram-bot-api-secret-token"), secret)) return answer(401);
    const body = await readBody(request);
    if (body === undefined) return answer(413);
    const value = parseBody(body);
    if (value === undefined) return answer(400);
    const update = readUpdate(value);
    if (update === undefined) {
      // If refused, Telegram would repeat it for a day and hold back the later updates of its chat.
      logger.warn({ count: 1 }, "skipped invalid updates");
      return answer(200);
    }
    const { kept, skipped } = await keepUpdates(sql, [update], now());
    if (skipped > 0) logger.info({ count: skipped }, "skipped updates of chats over their limit");
    if (kept > 0) onUpdate();
    return answer(200);
  };
}

function answer(status: number): Response {
  return new Response(null, { status });
}

/** timingSafeEqual needs equal lengths, so it compares digests. */
function isSecret(given: string | null, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== null && timingSafeEqual(digest(given), digest(secret));
}

async function readBody(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns undefined for a body that cannot be from Telegram: not an object with a numeric update_id. */
function parseBody(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isUpdate = typeof value === "object" && value !== null && "update_id" in value;
    return isUpdate && typeof value.update_id === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
