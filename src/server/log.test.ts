import { expect, test } from "vitest";
import { createLogger } from "./log.ts";

function loggedBy(act: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = "";
  act(
    createLogger({
      level: "debug",
      secrets: ["hunter2-hunter2", "p@ss w/rd"],
      write: (line) => (text += line),
    }),
  );
  return text;
}

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
const BOT_TOKEN = "123456789:AAF-abcdefghijklmnopqrstuvwxyz012345";
const HIDDEN: [string, string][] = [
  ["a session", JWT],
  ["a bot token", BOT_TOKEN],
  ["a mail address", "ana.garcia+home@example.com"],
  ["a key", "sb_secret_abcdefghijklmnopqrstuv_12345678"],
  ["a configured secret", "hunter2-hunter2"],
  ["a configured secret, percent-encoded", encodeURIComponent("p@ss w/rd")],
];

test.each(HIDDEN)("%s is redacted everywhere in a line", (_, secret) => {
  const text = loggedBy((logger) => {
    logger.info({ deep: { list: [secret], authorization: `Bearer ${secret}` } }, `said ${secret}`);
    const cause = new Error(`request to https://api.example/bot${secret}/send?token=${secret} failed`);
    logger.error({ err: new Error(`outer ${secret}`, { cause }) }, "failed");
    logger.warn(JSON.stringify({ password: secret, body: JSON.stringify({ password: secret }) }));
    logger.child({ who: secret }).debug("child");
  });
  expect(text.split("\n").filter(Boolean)).toHaveLength(4);
  expect(text).not.toContain(secret);
});

test("a password is redacted in a body, in a nested body and in a database URL", () => {
  const text = loggedBy((logger) => {
    logger.info({
      body: JSON.stringify({ password: "swordfish", nested: JSON.stringify({ password: "swordfish" }) }),
    });
    logger.info("postgres://sereno:swordfish@127.0.0.1:5432/sereno");
    logger.info("/auth/v1/verify?token=swordfish&type=recovery#access_token=swordfish");
    logger.error({
      err: new Error("450 http://localhost:3000/es/reset-password#token_hash=swordfish&type=recovery"),
    });
    logger.info('<a href="https://sereno.example/#type=signup&amp;token_hash=swordfish">');
    logger.info("https://sereno.example/auth/v1/callback?code=swordfish&state=1&code_verifier=swordfish");
    logger.info({
      body: { refresh_token: "swordfish", token_hash: "swordfish", code_verifier: "swordfish" },
    });
  });
  expect(text).not.toContain("swordfish");
  expect(text).toContain("127.0.0.1:5432/sereno");
});

test("DOOR-12 codes and states of a sign-in are redacted in a query, an encoded one, a body and the auth service's errors", () => {
  const text = loggedBy((logger) => {
    logger.info("https://sereno.example/auth/v1/callback?state=swordfish&code=swordfish");
    logger.info("/auth/v1/callback%3Fcode%3Dswordfish%26state%3Dswordfish");
    logger.info("/auth/v1/callback%253fcode%253dswordfish");
    logger.info({ body: { auth_code: "swordfish", code_verifier: "swordfish" } });
    logger.warn({ said: "Auth error: AuthError: Unable to exchange external code: swordfish" }, "console");
    logger.error({ err: Object.assign(new Error("failed"), { code: "22P02" }), state: "connected" });
  });
  expect(text).not.toContain("swordfish");
  expect(text).toContain("22P02");
  expect(text).toContain("connected");
});

test("a log entry stays one line of JSON, whatever a name contains", () => {
  const text = loggedBy((logger) => logger.info({ name: 'Ana\r\n{"level":"error"}\u001b[31m' }, "hello"));
  expect(text.trimEnd().split(/[\r\n]/)).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ level: "info", msg: "hello" });
});

test("other values stay readable", () => {
  const text = loggedBy((logger) =>
    logger.info({ path: "/es/privacy", status: 200, listing: "104127753" }, "served"),
  );
  expect(JSON.parse(text)).toMatchObject({
    path: "/es/privacy",
    status: 200,
    listing: "104127753",
    msg: "served",
  });
});
