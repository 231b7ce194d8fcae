import { afterEach, expect, test, vi } from "vitest";
import { storedSession } from "./stored-session.ts";

const NOW = Date.parse("2026-11-16T10:00:00Z");
const KEY = "sb-localhost-auth-token";
const session = {
  access_token: "a",
  refresh_token: "r",
  expires_at: NOW / 1000 + 600,
  user: { id: "u", email: "ana@example.com" },
};
const keep = (kept: Record<string, string>) => {
  const storage = { ...kept, getItem: (key: string) => kept[key] ?? null };
  Object.defineProperty(storage, "getItem", { enumerable: false });
  vi.stubGlobal("window", { localStorage: storage, location: { pathname: "/finds" } });
};

afterEach(() => vi.unstubAllGlobals());

test("AUTH-11 a valid stored session is read at once", () => {
  keep({ [KEY]: JSON.stringify(session), theme: "dark" });
  expect(storedSession(NOW)).toEqual(session);
});

test.each([
  ["none", {}],
  ["one about to end", { [KEY]: JSON.stringify({ ...session, expires_at: NOW / 1000 + 59 }) }],
  ["one in parts", { [`${KEY}.0`]: JSON.stringify(session), [`${KEY}.1`]: "x" }],
  ["two of them", { [KEY]: JSON.stringify(session), "sb-other-auth-token": JSON.stringify(session) }],
  ["no JSON", { [KEY]: "{" }],
  ["nothing in it", { [KEY]: "null" }],
  ["no user", { [KEY]: JSON.stringify({ ...session, user: null }) }],
  ["a user without id", { [KEY]: JSON.stringify({ ...session, user: {} }) }],
  ["times that are none", { [KEY]: JSON.stringify({ ...session, expires_at: "soon" }) }],
])("AUTH-11 with %s the decision is left to supabase-js", (_, kept) => {
  keep(kept);
  expect(storedSession(NOW)).toBeUndefined();
});

test("AUTH-11 with blocked storage there is no session", () => {
  vi.stubGlobal("window", {
    location: { pathname: "/finds" },
    get localStorage() {
      throw new Error("SecurityError");
    },
  });
  expect(storedSession(NOW)).toBeUndefined();
});

test("MINI-04 inside Telegram the session of Telegram's data counts, and not the website's", () => {
  const kept: Record<string, string> = { [KEY]: JSON.stringify(session) };
  const inTab: Record<string, string> = {};
  const storageOf = (items: Record<string, string>) => ({ getItem: (key: string) => items[key] ?? null });
  vi.stubGlobal("window", {
    location: { pathname: "/app/finds" },
    localStorage: storageOf(kept),
    sessionStorage: storageOf(inTab),
  });
  expect(storedSession(NOW)).toBeUndefined();
  inTab["sb-telegram-auth-token"] = JSON.stringify({ ...session, user: { id: "t" } });
  expect(storedSession(NOW)?.user.id).toBe("t");
});
