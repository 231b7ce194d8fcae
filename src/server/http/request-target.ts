// Decides which path a request is for, once, on the bytes received, before anything decodes or normalises them. A
// target that two parsers could read differently is refused.
import type { IncomingMessage } from "node:http";

export type RequestTarget = {
  /** For the log: the path as received, without the query or anything that could be one. */
  askedPath: string;
  /** The path in its canonical spelling; undefined for any other spelling. */
  path: string | undefined;
  /** The query including the question mark, or empty. */
  search: string;
};

/** Our URLs need no percent-encoding. No empty segment but the last, and no `.` or `..`. */
const CANONICAL_PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$'()*+,:@-]+(?:\/|$))*$/;
const MAX_PATH_CHARACTERS = 1_024;
const MAX_LOGGED_CHARACTERS = 256;
// The start of a query in any number of encodings: a token may follow.
const QUERY_BEGINS = /[?#;&=]|%(?:25)*(?:3f|23|3b|26|3d)/i;

const targets = new WeakMap<IncomingMessage, RequestTarget>();

/** Parses the target. Afterwards `request.url` is its canonical form, or a path that is not found. */
export function resolveTarget(request: IncomingMessage): RequestTarget {
  const target = parseRequestTarget(request.url ?? "");
  targets.set(request, target);
  request.url = target.path === undefined ? "/404" : `${target.path}${target.search}`;
  return target;
}

export function targetOf(request: IncomingMessage): RequestTarget {
  return targets.get(request) ?? resolveTarget(request);
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

/** With two Host headers a proxy in front of us may have used the other one. */
export function hasOneHost(request: IncomingMessage): boolean {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  return (
    names.filter((name) => name.toLowerCase() === "host").length === 1 &&
    HOST.test(request.headers.host ?? "")
  );
}
