// New keys come to one process after the other, and those of before are honoured for a day: what comes with a key of another
// process goes on as if it had come with ours.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { OtherKey, ServerKeys } from "./server-keys.ts";

export type KeyTranslator = {
  token: (token: string) => Promise<string>;
  request: (request: Request) => Promise<Request>;
  /** The query of a WebSocket's address carries the key. */
  url: (url: string) => Promise<string>;
};

type Options = {
  /** Those that this process signs and asks with. */
  ours: ServerKeys;
  /** Undefined where nobody has others. */
  readHonoured: (() => Promise<OtherKey[]>) | undefined;
  now: () => number;
};

/** So soon a key that was replaced is not honoured any more, after its time. */
const READ_EVERY_MS = 60_000;
/** What we do not know may be new; whoever makes up keys costs no more than this. */
const READ_FOR_UNKNOWN_EVERY_MS = 1_000;

const JWT = /^([\w-]+\.[\w-]+)\.([\w-]+)$/;

export function createKeyTranslator(options: Options): KeyTranslator {
  const { ours } = options;
  const find = createKeyFinder(options);

  const token = async (text: string): Promise<string> => {
    const [, content = "", signature] = JWT.exec(text) ?? [];
    if (signature === undefined || isSigned(content, signature, ours.jwtSecret)) return text;
    const known = await find(
      ({ name, value }) => name === "jwt_secret" && isSigned(content, signature, value),
    );
    // Word for word the same, signed anew; whether it has expired is asked afterwards.
    return known ? `${content}.${signatureOf(content, ours.jwtSecret)}` : text;
  };
  const key = async (text: string): Promise<string> => {
    if (text === ours.publishableKey || !text.startsWith("sb_")) return text;
    const known = await find(({ name, value }) => name === "publishable_key" && value === text);
    return known ? ours.publishableKey : text;
  };

  return {
    token,
    request: async (request) => {
      const apiKey = request.headers.get("apikey") ?? "";
      const [, bearer = ""] = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
      const [newKey, newBearer] = [await key(apiKey), await key(await token(bearer))];
      if (newKey === apiKey && newBearer === bearer) return request;
      const headers = new Headers(request.headers);
      if (newKey !== apiKey) headers.set("apikey", newKey);
      if (newBearer !== bearer) headers.set("authorization", `Bearer ${newBearer}`);
      return new Request(request, { headers });
    },
    url: async (url) => {
      const given = new URLSearchParams(url.split("?")[1]).get("apikey") ?? "";
      const wanted = await key(given);
      return wanted === given ? url : url.replace(given, () => wanted);
    },
  };
}

/** Finds a key that is honoured at this moment; what was read of them a while ago is read again. */
function createKeyFinder({ ours, readHonoured, now }: Options) {
  let known: (OtherKey & { untilMs: number })[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (honoured: () => Promise<OtherKey[]>) => {
    readAtMs = now();
    const keys = await honoured();
    known = keys
      .filter(({ value }) => value !== ours.jwtSecret && value !== ours.publishableKey)
      .map((key) => ({ ...key, untilMs: now() + (key.secondsLeft ?? Number.POSITIVE_INFINITY) * 1000 }));
  };
  const readIfOlder = async (ageMs: number) => {
    if (!readHonoured || (reading === undefined && now() - readAtMs < ageMs)) return;
    reading ??= read(readHonoured).finally(() => {
      reading = undefined;
    });
    await reading;
  };
  return async (isIt: (key: OtherKey) => boolean): Promise<OtherKey | undefined> => {
    await readIfOlder(READ_EVERY_MS);
    const look = () => known.find((key) => key.untilMs > now() && isIt(key));
    const found = look();
    if (found) return found;
    await readIfOlder(READ_FOR_UNKNOWN_EVERY_MS);
    return look();
  };
}

function signatureOf(content: string, secret: string): string {
  return createHmac("sha256", secret).update(content).digest("base64url");
}

function isSigned(content: string, signature: string, secret: string): boolean {
  const [given, wanted] = [Buffer.from(signature), Buffer.from(signatureOf(content, secret))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
