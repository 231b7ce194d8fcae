import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Sql } from "postgres";
import { keepUpdates } from "#store/inbox.ts";

const BODY_LIMIT = 1024 * 1024;

export type WebhookHandler = (request: Request) => Promise<Response>;

/** Where the webhook is mounted: a path that who does not know the secret cannot guess. */
export function webhookPathOf(secret: string): string {
  return `/telegram/${createHmac("sha256", secret).update("webhook path").digest("hex").slice(0, 32)}`;
}

export interface WebhookOptions {
  readonly sql: Sql;
  readonly secret: string;
  /** Called when something new lies in the inbox. */
  readonly onUpdate: () => void;
}

/** Keeps the update and answers at once; dealing with it is another's work. */
export function createWebhook({ sql, secret, onUpdate }: WebhookOptions): WebhookHandler {
  return async (request) => {
    if (request.method !== "POST") return answer(405);
    if (!isSecret(request.headers.get("x-telegram-bot-api-secret-token"), secret)) return answer(401);
    const body = await readBody(request);
    if (body === undefined) return answer(413);
    const updateId = updateIdIn(body);
    if (updateId === undefined) return answer(400);
    const kept = await keepUpdates(sql, [{ updateId, content: body }]);
    if (kept > 0) onUpdate();
    return answer(200);
  };
}

function answer(status: number): Response {
  return new Response(null, { status });
}

/** Digests are of one length whatever was sent, and compared without a hint where they differ. */
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

/** Kept as JSON writes it: what the database cannot hold as text stands there in escapes. */
function updateIdIn(body: string): number | undefined {
  try {
    const update: unknown = JSON.parse(body);
    const id =
      typeof update === "object" && update !== null && "update_id" in update ? update.update_id : undefined;
    return Number.isSafeInteger(id) ? (id as number) : undefined;
  } catch {
    return undefined;
  }
}
