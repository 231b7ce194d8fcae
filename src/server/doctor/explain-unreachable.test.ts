import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { CLOSED_PORT } from "#test/closed-port.ts";
import { createMailTransport } from "../account-mails/mail-transport.ts";
import { explainUnreachable } from "./explain-unreachable.ts";
import { checkOperatorChat } from "./operator-checks.ts";

/** Signed by itself, for this test only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggUSrEA6k4oj8efDL
WDoPPIs8lz0MTu6BCuYxnOdDLOKhRANCAAQf1PKf7z6gDdlqNkOUyzNMEE8A2kQy
E4gY4D/43Hcbo6uAYhprfkYqdssxPpViHzxsMX+a140JToaO8d1R9C2X
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUP7UCVgV3ctviDPlcx+7VuwYQOh4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNzIwMzE1M1oYDzIxMjYxMDI0
MjAzMTUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQf1PKf7z6gDdlqNkOUyzNMEE8A2kQyE4gY4D/43Hcbo6uAYhprfkYq
dssxPpViHzxsMX+a140JToaO8d1R9C2Xo1MwUTAdBgNVHQ4EFgQUzffN3bz+KVN0
WEpjPmtbuRSrjAAwHwYDVR0jBBgwFoAUzffN3bz+KVN0WEpjPmtbuRSrjAAwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAZCMJ8eazWgMQJ52Wz+3k5
JIAFINapO3iMssgU30hDWQIgUJWPcH3p0kZd+v/1oAqfjMHXHuC4uyA+zrKAJzdK
0PY=
-----END CERTIFICATE-----`;
const PLACE = { host: "service.example", setting: "ROUTES_URL" };
let silent: Server;
let encrypted: Server;
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  encrypted = createTlsServer({ key: KEY, cert: CERTIFICATE });
  silent = createServer(() => {});
  for (const server of [silent, encrypted]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
});
afterAll(() => {
  silent.close();
  encrypted.close();
});

const failureOf = async (attempt: Promise<unknown>) => {
  const error = await attempt.then(
    () => expect.fail("it worked"),
    (failed: unknown) => failed,
  );
  return explainUnreachable(error, PLACE);
};
const get = (url: string) => fetch(url, { signal: AbortSignal.timeout(2_000) });
const mail = (url: string) => createMailTransport(url, { timeoutMs: 300 }).verify();

test("RUN-07 doctor tells TLS faults, unknown names, closed ports and slow services apart, and says what to do", async () => {
  const tls = /^the TLS certificate of service\.example is not valid.*NODE_EXTRA_CA_CERTS/;
  expect(await failureOf(get(`https://127.0.0.1:${portOf(encrypted)}/hunter22`))).toMatch(tls);
  expect(await failureOf(mail(`smtps://127.0.0.1:${portOf(encrypted)}`))).toMatch(tls);
  const plain = createServer((socket) =>
    socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  );
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const noTls = /^service\.example does not speak TLS on this port.*scheme and port in ROUTES_URL$/;
  expect(await failureOf(get(`https://127.0.0.1:${portOf(plain)}/`))).toMatch(noTls);
  expect(await failureOf(mail(`smtps://127.0.0.1:${portOf(plain)}`))).toMatch(noTls);
  plain.close();
  const closed = /^service\.example cannot be reached: nothing accepts connections there \(ECONNREFUSED\)/;
  expect(await failureOf(get(`http://127.0.0.1:${CLOSED_PORT}/`))).toMatch(closed);
  expect(await failureOf(mail(`smtp://127.0.0.1:${CLOSED_PORT}`))).toMatch(closed);
  const unknown = /^service\.example cannot be reached: its name is unknown \(E\w+\); .*DNS$/;
  // Made by hand: without a network a real lookup takes many seconds to fail.
  const lookup = Object.assign(new Error("getaddrinfo ENOTFOUND hunter22.invalid"), { code: "ENOTFOUND" });
  expect(explainUnreachable(new TypeError("fetch failed", { cause: lookup }), PLACE)).toMatch(unknown);
  const ofMailer = Object.assign(new Error(lookup.message), { code: "EDNS" });
  expect(explainUnreachable(ofMailer, PLACE)).toMatch(unknown);
  const slow = /^service\.example is too slow/;
  const waiting = fetch(`http://127.0.0.1:${portOf(silent)}/`, { signal: AbortSignal.timeout(200) });
  expect(await failureOf(waiting)).toMatch(slow);
  expect(await failureOf(mail(`smtp://127.0.0.1:${portOf(silent)}`))).toMatch(slow);
  expect(explainUnreachable(new Error("hunter22"), PLACE)).toBe(
    "service.example cannot be reached: the connection failed; check the network and ROUTES_URL",
  );
});

test("RUN-07 doctor says how the operator's chat is opened to the bot", async () => {
  const telegram = await startTelegramSimulator();
  const settings = { TELEGRAM_BOT_TOKEN: telegram.bot.token, TELEGRAM_API_ROOT: telegram.url };
  expect(await checkOperatorChat({ ...settings, OPERATOR_CHAT_ID: "7000000009" })).toEqual({
    state: "wrong",
    words: expect.stringMatching(/may not write.*OPERATOR_CHAT_ID: press Start there/),
  });
  await telegram.close();
  expect(await checkOperatorChat({ ...settings, OPERATOR_CHAT_ID: "7000000009" })).toMatchObject({
    words: expect.stringMatching(/nothing accepts connections there/),
  });
  expect(await checkOperatorChat({ OPERATOR_EMAIL: "ana@example.com" })).toEqual({
    state: "not set",
    words: "trouble goes to ana@example.com",
  });
});
