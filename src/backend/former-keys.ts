// Keys that were replaced are honoured for a day: what comes with one of them goes on as if it had come with the new one.
import { CompactSign, compactVerify } from "jose";
import type { FormerKeys, ServerKeys } from "./server-keys.ts";

export type KeyTranslator = {
  token: (token: string) => Promise<string>;
  request: (request: Request) => Promise<Request>;
  /** The query of a WebSocket's address carries the key. */
  url: (url: string) => string;
};

export function createKeyTranslator(keys: ServerKeys, former: FormerKeys): KeyTranslator {
  const bytesOf = (secret: string) => new TextEncoder().encode(secret);
  const olds = former.jwtSecrets.map(bytesOf);
  const isFormer = (key: string | null) => key !== null && former.publishableKeys.includes(key);

  /** Word for word the same, signed anew; whether it has expired is asked afterwards. */
  const token = async (text: string): Promise<string> => {
    for (const old of olds) {
      const verified = await compactVerify(text, old, { algorithms: ["HS256"] }).catch(() => undefined);
      if (!verified) continue;
      const signing = new CompactSign(verified.payload).setProtectedHeader({ alg: "HS256", typ: "JWT" });
      return signing.sign(bytesOf(keys.jwtSecret));
    }
    return text;
  };

  return {
    token,
    request: async (request) => {
      if (olds.length === 0 && former.publishableKeys.length === 0) return request;
      const headers = new Headers(request.headers);
      if (isFormer(headers.get("apikey"))) headers.set("apikey", keys.publishableKey);
      const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
      if (bearer !== undefined) {
        const valid = isFormer(bearer) ? keys.publishableKey : await token(bearer);
        headers.set("authorization", `Bearer ${valid}`);
      }
      return new Request(request, { headers });
    },
    url: (url) => {
      const key = new URLSearchParams(url.split("?")[1]).get("apikey");
      return key !== null && isFormer(key) ? url.replace(key, keys.publishableKey) : url;
    },
  };
}
