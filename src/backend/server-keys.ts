// The keys shared by all processes on one database: the secret that signs access tokens, the publishable key that pages
// send, and the secret for keyed hashes. A replaced key is accepted for a day, unless it was revoked. NOTIFY announces
// changes; a process reads the keys again whenever it may have missed a notification.

import { createHash, randomBytes } from "node:crypto";
import type { CryptoKey } from "jose";
import type { Sql, TransactionSql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { listenFor } from "#platform/database/listen-for.ts";

const KEYS_CHANNEL = "server_keys";
/** The key id of JWT_SECRET. If it is set, keys in the database do not verify tokens. */
const CONFIGURED_KEY_ID = "configured";
/** Limits the reads caused by invented keys, and those made while notifications are missing. */
const READ_AGAIN_AFTER_MS = 1_000;

export type SigningKey = { kid: string; key: CryptoKey };

export type TokenKeys = {
  signing: () => Promise<SigningKey>;
  /** Undefined for an unknown, revoked or expired key. */
  find: (kid: string) => Promise<CryptoKey | undefined>;
};

export type ServerKeys = TokenKeys & {
  publishableKey: () => Promise<string>;
  isPublishableKey: (text: string) => Promise<boolean>;
  /** Never replaced. */
  hashSecret: string;
  stop: () => Promise<void>;
};

type Name = "jwt_secret" | "publishable_key" | "hash_secret";

/** `secondsLeft` by the database's clock, which all processes share; null for the current key. */
type StoredKey = { name: Name; value: string; secondsLeft: number | null };

type KnownKey = { value: string; untilMs: number; isInUse: boolean };

const KINDS = ["signing", "publishable"] as const;

type Known = { signing: Map<string, KnownKey & { key: CryptoKey }>; publishable: Map<string, KnownKey> };

export type ServerKeysOptions = {
  sql: Sql;
  databaseUrl: string;
  jwtSecret?: string | undefined;
  now: () => number;
  /** A key was revoked early: connections that used it must be closed. */
  onRevoked: () => void;
  /** Called with every secret, so that the log can redact it. */
  onSecret: (secret: string) => void;
};

export async function openServerKeys(options: ServerKeysOptions): Promise<ServerKeys> {
  const { sql, now } = options;
  await insertKeys(sql, {
    jwt_secret: newSecret(),
    publishable_key: newPublishableKey(),
    hash_secret: newSecret(),
  });
  const hashSecret = (await readKeys(sql)).find(({ name }) => name === "hash_secret")?.value;
  if (hashSecret === undefined) throw new Error("There are no server keys in the database");
  const configured = options.jwtSecret === undefined ? undefined : await importSecret(options.jwtSecret);
  const cache = createKeyCache(options);
  await cache.current();

  const find = async (kid: string) => {
    if (configured) return kid === CONFIGURED_KEY_ID ? configured : undefined;
    return (await cache.look(({ signing }) => liveIn(signing, kid, now())))?.key;
  };
  const isPublishableKey = async (text: string) =>
    text.startsWith("sb_") &&
    (await cache.look(({ publishable }) => liveIn(publishable, text, now()))) !== undefined;
  return {
    signing: async () => {
      if (configured) return { kid: CONFIGURED_KEY_ID, key: configured };
      const [kid, { key }] = inUse((await cache.current()).signing);
      return { kid, key };
    },
    find,
    // Pages can be served while the database is down.
    publishableKey: async () => inUse((await cache.current().catch(cache.last)).publishable)[0],
    isPublishableKey,
    hashSecret,
    stop: cache.stop,
  };
}

/** Replaces the keys of every process. Old keys are accepted for a day, or not at all if `isRevoking`. */
export async function rotateServerKeys(
  sql: Sql,
  { isRevoking, endSessions }: { isRevoking: boolean; endSessions: boolean },
): Promise<{ endedSessions: number }> {
  return inTransaction(sql, async (db) => {
    await db`
      delete from private.server_keys
      where name <> 'hash_secret' and (${isRevoking} or honoured_until < now())`;
    await db`
      update private.server_keys set honoured_until = now() + interval '1 day'
      where name <> 'hash_secret' and honoured_until is null`;
    await insertKeys(db, { jwt_secret: newSecret(), publishable_key: newPublishableKey() });
    const ended = endSessions ? (await db`delete from auth.sessions`).count : 0;
    await db`select pg_notify(${KEYS_CHANNEL}, '')`;
    return { endedSessions: ended };
  });
}

const newSecret = () => randomBytes(48).toString("base64url");
const newPublishableKey = () => `sb_publishable_${randomBytes(24).toString("base64url")}`;

async function insertKeys(sql: Sql | TransactionSql, made: Partial<Record<Name, string>>): Promise<void> {
  await sql`
    insert into private.server_keys (name, value)
    select key, value from jsonb_each_text(${sql.json(made)})
    on conflict do nothing`;
}

function readKeys(sql: Sql): Promise<StoredKey[]> {
  return sql<StoredKey[]>`
    select name, value, extract(epoch from honoured_until - now())::float8 as "secondsLeft"
    from private.server_keys where honoured_until is null or honoured_until > now()`;
}

const importSecret = (secret: string) =>
  crypto.subtle.importKey("raw", Buffer.from(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

/** Identifies the key that signed a token. It reveals nothing: it is a hash of 48 random bytes. */
const kidOf = (secret: string) => createHash("sha256").update(`kid ${secret}`).digest("hex").slice(0, 16);

function liveIn<Key extends KnownKey>(keys: Map<string, Key>, id: string, nowMs: number): Key | undefined {
  const key = keys.get(id);
  return key && key.untilMs > nowMs ? key : undefined;
}

function inUse<Key extends KnownKey>(keys: Map<string, Key>): [id: string, key: Key] {
  const found = [...keys].find(([, { isInUse }]) => isInUse);
  if (!found) throw new Error("There are no server keys in the database");
  return found;
}

function createKeyCache({ sql, databaseUrl, now, onRevoked, onSecret }: ServerKeysOptions) {
  let known: Known = { signing: new Map(), publishable: new Map() };
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isStale = true;
  let isListening = false;
  let reading: Promise<void> | undefined;

  const readOnce = async () => {
    isStale = false;
    readAtMs = now();
    try {
      const keys = await readKeys(sql);
      for (const { name, value } of keys) if (name !== "publishable_key") onSecret(value);
      const fresh = await knownFrom(keys, readAtMs);
      const isRevoked = KINDS.some((kind) =>
        [...known[kind]].some(([id, { untilMs }]) => untilMs > now() && !fresh[kind].has(id)),
      );
      known = fresh;
      if (isRevoked) onRevoked();
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  const read = async () => {
    reading ??= readOnce().finally(() => {
      reading = undefined;
    });
    await reading;
  };
  const current = async () => {
    if (!isListening && now() - readAtMs >= READ_AGAIN_AFTER_MS) isStale = true;
    while (isStale) await read();
    return known;
  };
  // If this read fails, the next request tries again.
  const expire = () => {
    isStale = true;
    current().catch(() => {});
  };
  const listener = listenFor({
    url: databaseUrl,
    channel: KEYS_CHANNEL,
    onNotification: expire,
    onListening: () => {
      isListening = true;
      expire();
    },
    onLost: () => {
      isListening = false;
    },
  });
  return {
    current,
    last: () => known,
    /** Reads the keys again for an unknown id, which may be new. */
    look: async <Found>(find: (keys: Known) => Found | undefined): Promise<Found | undefined> => {
      const found = find(await current());
      if (found || now() - readAtMs < READ_AGAIN_AFTER_MS) return found;
      await read();
      return find(known);
    },
    stop: listener.stop,
  };
}

async function knownFrom(keys: StoredKey[], nowMs: number): Promise<Known> {
  const known: Known = { signing: new Map(), publishable: new Map() };
  for (const { name, value, secondsLeft } of keys) {
    const untilMs = nowMs + (secondsLeft ?? Number.POSITIVE_INFINITY) * 1000;
    const key = { value, untilMs, isInUse: secondsLeft === null };
    if (name === "jwt_secret") known.signing.set(kidOf(value), { ...key, key: await importSecret(value) });
    else if (name === "publishable_key") known.publishable.set(value, key);
  }
  return known;
}
