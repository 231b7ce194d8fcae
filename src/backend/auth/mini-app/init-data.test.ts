import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { signInitData } from "#simulators/telegram/mini-app/sign-init-data.ts";
import { readInitData } from "./init-data.ts";

const TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8";
const NOW = Date.parse("2026-11-19T10:00:00Z");
const SECONDS = NOW / 1000;
const user = {
  id: 279_058_397,
  first_name: "Vladislav + – Кибенко",
  username: "vdkfrost",
  photo_url: "https://t.me/i/p.svg",
};
const fields = { query_id: "AAHdF6IQ", user, auth_date: SECONDS - 30, signature: "c2lnbmF0dXJl" };
const read = (raw: string, nowMs = NOW) => readInitData(raw, { botToken: TOKEN, nowMs });

test("MINI-01 the key is Telegram's: HMAC of the token with WebAppData", () => {
  const key = createHmac("sha256", "WebAppData").update(TOKEN).digest("hex");
  expect(key).toBe("a5c609aa52f63cb5e6d8ceb6e4138726ea82bbc36bb786d64482d445ea38ee5f");
});

test("MINI-01 signed launch data names its Telegram user and when it was signed", () => {
  expect(read(signInitData(fields, TOKEN))).toMatchObject({
    telegramId: "279058397",
    signedAtMs: NOW - 30_000,
  });
});

test("MINI-01 the same data gives the same launch, and other data another", () => {
  const launchOf = (raw: string) => {
    const data = read(raw);
    if (typeof data === "string") throw new Error(data);
    return data.launch.toString("hex");
  };
  const raw = signInitData(fields, TOKEN);
  expect(launchOf(raw)).toBe(launchOf(raw));
  expect(launchOf(raw)).not.toBe(launchOf(signInitData({ ...fields, query_id: "AAHdF6IR" }, TOKEN)));
});

const signed = signInitData(fields, TOKEN);

function signedWith(key: string | Buffer): string {
  const lines = [...new URLSearchParams(signed)].filter(([name]) => name !== "hash");
  const text = lines
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  return signed.replace(/hash=.*/, `hash=${createHmac("sha256", key).update(text).digest("hex")}`);
}

test.each([
  ["nothing", ""],
  ["no query string", "%"],
  ["a leading question mark", `?${signed}`],
  ["a changed user", signed.replace("279058397", "279058398")],
  ["a cut field", signed.replace(/&signature=[^&]*/, "")],
  ["a cut hash", signed.slice(0, -1)],
  ["a hash in capitals", signed.replace(/hash=.*/, (text) => text.toUpperCase().replace("HASH", "hash"))],
  ["no hash", signed.replace(/&hash=.*/, "")],
  ["a field that was added", `start_param=x&${signed}`],
  ["a repeated field", `${signed}&user=${encodeURIComponent(JSON.stringify({ id: 1 }))}`],
  ["a repeated hash", `${signed}&${signed.slice(signed.indexOf("hash="))}`],
  ["a field repeated in another encoding", `${signed}&%75ser=1`],
  ["a null character", `${signed}&x=%00`],
  ["the data of another bot", signInitData(fields, "5768337692:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8")],
  ["more than eight kilobytes", signInitData({ ...fields, start_param: "x".repeat(8_192) }, TOKEN)],
  ["no user", signInitData({ ...fields, user: undefined }, TOKEN)],
  ["a user who is no object", signInitData({ ...fields, user: "null" }, TOKEN)],
  ["broken JSON", signInitData({ ...fields, user: "{" }, TOKEN)],
  ["an id that is a text", signInitData({ ...fields, user: { ...user, id: "279058397" } }, TOKEN)],
  ["an id with a fraction", signInitData({ ...fields, user: { ...user, id: 1.5 } }, TOKEN)],
  ["a group's id", signInitData({ ...fields, user: { ...user, id: -1001 } }, TOKEN)],
  ["an id of 53 bits", signInitData({ ...fields, user: { ...user, id: 2 ** 52 } }, TOKEN)],
  ["a bot", signInitData({ ...fields, user: { ...user, is_bot: true } }, TOKEN)],
  ["no date", signInitData({ ...fields, auth_date: undefined }, TOKEN)],
  ["a date with a fraction", signInitData({ ...fields, auth_date: `${SECONDS}.5` }, TOKEN)],
  ["a date in another notation", signInitData({ ...fields, auth_date: "1e9" }, TOKEN)],
  ["a hexadecimal date", signInitData({ ...fields, auth_date: `0x${SECONDS.toString(16)}` }, TOKEN)],
  ["a date with a sign", signInitData({ ...fields, auth_date: `+${SECONDS}` }, TOKEN)],
  ["a date with a blank", signInitData({ ...fields, auth_date: ` ${SECONDS}` }, TOKEN)],
  ["a date in Arabic digits", signInitData({ ...fields, auth_date: "١٧٩٥٠٨٢٤٠٠" }, TOKEN)],
  ["a date of thirteen digits", signInitData({ ...fields, auth_date: NOW }, TOKEN)],
  ["a name in capitals", signed.replace("user=", "USER=")],
  ["a hash whose name is in capitals", signed.replace("hash=", "Hash=")],
  ["a field without a name", signed.replace("user=", "=user=")],
  ["an overlong encoding", signed.replace("user=", "%C1%B5ser=")],
  ["a field that swallowed the next", signed.replace("&user=", "%0Auser=")],
  ["the hash of a sign-in by Telegram's widget", signedWith(createHash("sha256").update(TOKEN).digest())],
  ["a hash whose key is the token", signedWith(TOKEN)],
  ["users as a list", signInitData({ ...fields, user: [user] }, TOKEN)],
  ["a user behind a prototype", signInitData({ ...fields, user: '{"__proto__":{"id":7}}' }, TOKEN)],
  ["an id that is a list", signInitData({ ...fields, user: { ...user, id: [279_058_397] } }, TOKEN)],
  ["an id beyond all numbers", signInitData({ ...fields, user: '{"id":1e999}' }, TOKEN)],
  ["an id that is zero", signInitData({ ...fields, user: { ...user, id: 0 } }, TOKEN)],
])("MINI-01 launch data with %s is refused", (_, raw) => {
  expect(read(raw)).toBe("invalid");
});

test.each([
  [59 * 60, "valid"],
  [3_600, "valid"],
  [61 * 60, "old"],
  [23 * 3_600, "old"],
  [-60, "valid"],
  [-61, "old"],
])("MINI-01 launch data that was signed %d seconds ago is %s", (ageSeconds, verdict) => {
  const answer = read(signInitData({ ...fields, auth_date: SECONDS - ageSeconds }, TOKEN));
  expect(typeof answer === "string" ? answer : "valid").toBe(verdict);
});

test("MINI-01 of two ids in the user's JSON both sides read the last, as a whole number", () => {
  const twice = signInitData({ ...fields, user: '{"id":1,"id":7.0,"id":2.79058397e8}' }, TOKEN);
  expect(read(twice)).toMatchObject({ telegramId: "279058397" });
});

test("MINI-01 the order of the fields does not matter", () => {
  const parts = signed.split("&");
  expect(read([...parts.slice(1), parts[0]].join("&"))).toMatchObject({ telegramId: "279058397" });
});
