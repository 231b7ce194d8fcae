import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONFIG_NAMES, readConfig } from "./config.ts";

const NEEDED = {
  SMTP_URL: "smtp://127.0.0.1:2525",
  MAIL_FROM: "Sereno <sereno@example.com>",
  TELEGRAM_BOT_TOKEN: `7000000001:${"A".repeat(35)}`,
  IDEALISTA_API_KEY: "key",
  IDEALISTA_API_SECRET: "secret",
};

test(".env.example lists exactly the settings, and those of the console", () => {
  const named = readFileSync(".env.example", "utf8").match(/^[A-Z_]+(?==)/gm) ?? [];
  expect(named.toSorted()).toEqual([...CONFIG_NAMES, "CONSOLE_PORT"].toSorted());
});

test("every setting in .env.example has a comment above it", () => {
  const lines = readFileSync(".env.example", "utf8").split("\n");
  const blocks = lines.join("\n").split(/\n\n/);
  for (const block of blocks) expect(block.trimStart().startsWith("#"), block).toBe(true);
});

test("with only the required settings the defaults apply", () => {
  expect(readConfig(NEEDED)).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    siteUrl: "http://localhost:3000",
    checkIntervalSeconds: 600,
    roles: ["web", "watcher", "bot", "mail"],
    supabase: undefined,
    signIn: { google: undefined, telegram: undefined, isGoogleOffered: false, isTelegramOffered: false },
  });
});

test("a role without its required settings is a mistake, and other roles do not need them", () => {
  const { SMTP_URL, MAIL_FROM } = NEEDED;
  const read = (ROLES: string) => () => readConfig({ SMTP_URL, MAIL_FROM, ROLES });
  expect(read("web,bot")).toThrow("TELEGRAM_BOT_TOKEN is missing");
  expect(read("watcher")).toThrow("IDEALISTA_API_KEY or SEARCH_BY_URL_API_URL is missing");
  expect(read("web")().roles).toEqual(["web"]);
});

test("all mistakes are reported at once, and no value is quoted", () => {
  const read = () =>
    readConfig({
      PORT: "eighty",
      SITE_URL: "sereno",
      JWT_SECRET: "short-secret",
      GOOGLE_CLIENT_ID: "id-without-secret",
      CHECK_INTERVAL_SECONDS: "0",
      ROLES: "web,cook",
    });
  expect(read).toThrow(/PORT: .*SITE_URL: .*JWT_SECRET: .*SMTP_URL is missing/s);
  for (const name of [
    "MAIL_FROM is missing",
    "CHECK_INTERVAL_SECONDS:",
    "ROLES:",
    "GOOGLE_CLIENT_SECRET is missing",
  ]) {
    expect(read).toThrow(name);
  }
  expect(read).not.toThrow(/short-secret|eighty|id-without-secret/);
});

test("an empty setting counts as unset", () => {
  expect(readConfig({ ...NEEDED, PORT: "", GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "" })).toMatchObject({
    port: 3000,
    signIn: { google: undefined },
  });
});

test("a secret can be read from a file, and a missing file is reported by name", () => {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  const file = join(folder, "secret");
  writeFileSync(file, `${"s".repeat(40)}\n`);
  expect(readConfig({ ...NEEDED, JWT_SECRET_FILE: file }).jwtSecret).toBe("s".repeat(40));
  rmSync(folder, { recursive: true });
  expect(() => readConfig({ ...NEEDED, JWT_SECRET_FILE: file })).toThrow("JWT_SECRET_FILE points to a file");
});

test("the settings are frozen", () => {
  const config = readConfig(NEEDED);
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
});

test("a trailing slash in a URL makes no difference", () => {
  expect(readConfig({ ...NEEDED, SITE_URL: "https://sereno.example/" }).siteUrl).toBe(
    "https://sereno.example",
  );
});

test("START-08 sign-in with Telegram needs the bot's token, whose first part is the client, and the secret", () => {
  const TELEGRAM_BOT_TOKEN = `7000000001:${"t".repeat(35)}`;
  const read = (settings: Record<string, string>) => readConfig({ ...NEEDED, ...settings }).signIn;
  expect(read({ TELEGRAM_BOT_TOKEN }).isTelegramOffered).toBe(false);
  expect(read({ TELEGRAM_BOT_TOKEN, TELEGRAM_LOGIN_SECRET: "from-botfather" })).toMatchObject({
    telegram: { clientId: "7000000001", clientSecret: "from-botfather" },
    isTelegramOffered: true,
    isGoogleOffered: false,
  });
  const webOnly = {
    ...NEEDED,
    TELEGRAM_BOT_TOKEN: "",
    ROLES: "web",
    TELEGRAM_LOGIN_SECRET: "from-botfather",
  };
  expect(() => readConfig(webOnly)).toThrow(
    "TELEGRAM_BOT_TOKEN is missing (it goes with TELEGRAM_LOGIN_SECRET",
  );
});

test("START-08 with a hosted Supabase the operator says whether sign-in with Telegram is set up there", () => {
  const hosted = {
    ...NEEDED,
    SUPABASE_URL: "https://project.supabase.co",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
    DATABASE_URL: "postgres://host/db",
  };
  expect(readConfig(hosted).signIn).toMatchObject({ isGoogleOffered: true, isTelegramOffered: false });
  expect(readConfig({ ...hosted, HOSTED_TELEGRAM_LOGIN: "on" }).signIn.isTelegramOffered).toBe(true);
  expect(() => readConfig({ ...NEEDED, HOSTED_TELEGRAM_LOGIN: "on" })).toThrow("SUPABASE_URL is missing");
});
