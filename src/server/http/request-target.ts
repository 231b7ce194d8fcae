// Where a request leads is decided here, once, on the bytes that came over the wire, before anything that would decode
// or tidy them: what two readers could understand differently leads nowhere.
import type { IncomingMessage } from "node:http";

export type RequestTarget = {
  /** For the log: as it came, without the query and what could be one. */
  askedPath: string;
  /** The path in its one spelling; `undefined` for any other spelling of anything. */
  path: string | undefined;
  /** From the question mark on, or empty. */
  search: string;
};

/**
 * Every address of ours is made of these characters, so nothing needs to be percent-encoded, and what is encoded is not
 * ours. No empty segment but the last, and none that means "here" or "up".
 */
const CANONICAL_PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$'()*+,:@-]+(?:\/|$))*$/;
const MAX_PATH_CHARACTERS = 1_024;
const MAX_LOGGED_CHARACTERS = 256;
// What begins a query, in any number of encodings: behind it may stand a token.
const QUERY_BEGINS = /[?#;&=]|%(?:25)*(?:3f|23|3b|26|3d)/i;

const targets = new WeakMap<IncomingMessage, RequestTarget>();

/** Judges where a request leads. From here on `request.url` is that address in its one spelling, or none of ours. */
export function judgeTarget(request: IncomingMessage): RequestTarget {
  const target = parseRequestTarget(request.url ?? "");
  targets.set(request, target);
  request.url = target.path === undefined ? "/404" : `${target.path}${target.search}`;
  return target;
}

export function targetOf(request: IncomingMessage): RequestTarget {
  return targets.get(request) ?? judgeTarget(request);
}

export function parseRequestTarget(target: string): RequestTarget {
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  const isCanonical =
    path.length <= MAX_PATH_CHARACTERS && CANONICAL_PATH.test(path) && !target.includes("#");
  return {
    askedPath: loggable(target),
    path: isCanonical ? path : undefined,
    search: end === -1 ? "" : target.slice(end),
  };
}

function loggable(target: string): string {
  const { index = target.length } = QUERY_BEGINS.exec(target) ?? {};
  return target
    .slice(0, Math.min(index, MAX_LOGGED_CHARACTERS))
    .replace(/[^!-~]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .slice(0, MAX_LOGGED_CHARACTERS);
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Of two Host headers a proxy before us may have judged the other one. */
export function hasOneHost(request: IncomingMessage): boolean {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  return (
    names.filter((name) => name.toLowerCase() === "host").length === 1 &&
    HOST.test(request.headers.host ?? "")
  );
}
