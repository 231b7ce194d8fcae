import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONFIG_NAMES, settingsOfScheme } from "../config.ts";
import { unsafeSettings } from "./unsafe-settings.ts";

const SAFE = { SITE_URL: "https://sereno.example" };

test("DOOR-11 safe settings are accepted", () => {
  const good = {
    ...SAFE,
    JWT_SECRET: randomBytes(32).toString("hex"),
    METRICS_TOKEN: randomBytes(24).toString("base64url"),
    TELEGRAM_WEBHOOK_SECRET: randomBytes(32).toString("hex"),
    SMTP_URL: "smtps://user:password@mail.example:465",
    DATABASE_URL: "postgres://user:password@db.example:5432/sereno?sslmode=require",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_abcdef",
    TELEGRAM_API_ROOT: "https://api.telegram.org",
    SUPPORT_URL: "https://t.me/SerenoSupport",
  };
  expect(unsafeSettings(good)).toEqual([]);
  expect(unsafeSettings({ ...good, SMTP_URL: "smtp://u:p@mail.example:587?requireTLS=true" })).toEqual([]);
});

test.each([
  [undefined],
  ["http://sereno.example"],
  ["HTTP://sereno.example"],
  ["http://192.168.1.5:3000"],
  ["http://localhost.sereno.example"],
  ["http://127.0.0.1.sereno.example"],
  ["http://0.0.0.0:3000"],
])("DOOR-11 the site URL %s is refused", (site) => {
  expect(unsafeSettings({ SITE_URL: site })).toEqual([expect.stringMatching(/^SITE_URL /)]);
});

test.each([
  ["http://localhost:3000"],
  ["http://127.0.0.1:3000"],
  ["http://127.9.9.9"],
  ["http://[::1]:3000"],
])("DOOR-11 on this machine only, %s is accepted", (site) => {
  expect(unsafeSettings({ SITE_URL: site })).toEqual([]);
});

test.each(settingsOfScheme("http").filter((name) => name !== "SITE_URL"))(
  "DOOR-11 %s over plain http is refused, loopback aside",
  (name) => {
    expect(unsafeSettings({ ...SAFE, [name]: "http://api.example/v1" })).toEqual([
      expect.stringMatching(new RegExp(`^${name} `)),
    ]);
    expect(unsafeSettings({ ...SAFE, [name]: "http://127.0.0.1:4000" })).toEqual([]);
  },
);

test("DOOR-11 every URL setting has a rule for its scheme", () => {
  const schemes = ["http", "smtp", "postgres", "imap"].map(settingsOfScheme);
  expect(schemes[0]).toEqual(expect.arrayContaining(["SUPABASE_URL", "ROUTES_URL", "PING_URL"]));
  expect(schemes[0]).toEqual(expect.arrayContaining(["TELEGRAM_API_ROOT", "SUPPORT_URL"]));
  // The mailbox client requires STARTTLS itself: src/alert-mails/receive/mailbox-client.ts.
  expect(schemes[3]).toEqual(["IMAP_URL"]);
  const named = CONFIG_NAMES.filter((name) => /_(?:URL|ROOT)$/.test(name));
  expect(schemes.flat().toSorted()).toEqual(named.toSorted());
});

test.each([
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "SUPER_SECRET_JWT_TOKEN_WITH_AT_LEAST_32_CHARACTERS_LONG_2026",
  "a-string-secret-at-least-256-bits-long",
  "reallyreallyreallyreallyverysafe",
  "change-me-change-me-change-me-change-me",
  "x".repeat(64),
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "0123456789abcdef0123456789abcdef",
  "12345678901234567890123456789012",
  "abcabcabcabcabcabcabcabcabcabcabcabc",
  "qwertyuiopasdfghjklzxcvbnm1234567890",
  "00000000-0000-0000-0000-000000000000",
  "deadbeefdeadbeefdeadbeefdeadbeef",
  "sereno-production-jwt-secret-2026-please-change",
])("DOOR-11 the JWT secret %s is refused without quoting it", (secret) => {
  const mistakes = unsafeSettings({ ...SAFE, JWT_SECRET: secret });
  expect(mistakes).toEqual([expect.stringMatching(/^JWT_SECRET can be guessed/)]);
  expect(mistakes[0]).not.toContain(secret);
});

test.each([
  "metrics-token-123",
  "changemechangeme",
  "changeme-changeme-changeme",
  "my-metrics-token",
  "prometheus-grafana-2026",
  "aaaaaaaaaaaaaaaa",
  "1234567890123456",
  "passwordpassword",
  "abababababababab",
  "letmeinletmein12",
])("DOOR-11 the metrics token %s is refused without quoting it", (token) => {
  const mistakes = unsafeSettings({ ...SAFE, METRICS_TOKEN: token });
  expect(mistakes).toEqual([expect.stringMatching(/^METRICS_TOKEN can be guessed/)]);
  expect(mistakes[0]).not.toContain(token);
});

test("DOOR-11 random secrets are not considered guessable", { tags: "long" }, () => {
  const makers = [
    () => randomBytes(32).toString("hex"),
    () => randomBytes(32).toString("base64"),
    () => randomBytes(24).toString("base64url"),
    () => `${randomUUID()}${randomUUID()}`,
  ];
  for (let round = 0; round < 500; round += 1) {
    for (const make of makers) {
      const secret = make();
      const values = { ...SAFE, JWT_SECRET: secret, METRICS_TOKEN: secret, TELEGRAM_WEBHOOK_SECRET: secret };
      expect(unsafeSettings(values), secret).toEqual([]);
    }
  }
});

test.each([
  "smtp://user:password@mail.example:587",
  "smtp://mail.example?requireTLS=false",
  "smtp://mail.example?requireTLS=true&ignoreTLS=true",
  "smtps://mail.example?tls.rejectUnauthorized=false",
])("DOOR-11 mail by %s is refused without quoting a password", (smtpUrl) => {
  const mistakes = unsafeSettings({ ...SAFE, SMTP_URL: smtpUrl });
  expect(mistakes).toEqual([expect.stringMatching(/^SMTP_URL /)]);
  expect(mistakes[0]).not.toContain("mail.example");
});

test.each([
  ["postgres://u:p@db.example/sereno", 1],
  ["postgres://u:p@db.example/sereno?sslmode=disable", 1],
  ["postgres://u:p@127.0.0.1/sereno?host=db.example", 1],
  ["postgres://u:p@127.0.0.1:5432/sereno", 0],
  ["postgres://u:p@db:5432/sereno", 0],
  ["postgres://u:p@10.0.0.7/sereno", 0],
])("DOOR-11 a database at %s has %i mistakes", (databaseUrl, count) => {
  expect(unsafeSettings({ ...SAFE, DATABASE_URL: databaseUrl })).toHaveLength(count);
});

test("DOOR-11 a secret key in place of the publishable key is refused", () => {
  const claims = Buffer.from(JSON.stringify({ role: "service_role" })).toString("base64url");
  for (const key of ["sb_secret_abcdefghijkl", `eyJhbGciOiJIUzI1NiJ9.${claims}.signature`]) {
    const mistakes = unsafeSettings({ ...SAFE, SUPABASE_PUBLISHABLE_KEY: key });
    expect(mistakes).toEqual([expect.stringMatching(/^SUPABASE_PUBLISHABLE_KEY is a secret key/)]);
  }
});

test("DOOR-11 SERV-05 RUN-07 npm run serve reports everything that is missing or unsafe, one line each, quotes nothing and exits with 78", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sereno-serve-"));
  const secretFile = join(folder, "jwt");
  writeFileSync(secretFile, "super-secret-jwt-token-with-at-least-32-characters-long\n");
  const child = spawn(process.execPath, ["scripts/serve.ts"], {
    env: {
      DATA_DIR: join(folder, "data"),
      SITE_URL: "http://sereno.example",
      JWT_SECRET_FILE: secretFile,
      METRICS_TOKEN: "metrics-token-123",
      SMTP_URL: "smtp://mailbox:hunter2@mail.example",
      IDEALISTA_API_URL: "http://api.example",
    },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(78);
  rmSync(folder, { recursive: true });
  const lines = said.trim().split("\n").slice(1);
  for (const name of ["MAIL_FROM", "TELEGRAM_BOT_TOKEN", "SITE_URL", "IDEALISTA_API_URL", "JWT_SECRET"]) {
    expect(lines.filter((line) => line.startsWith(`  - ${name} `))).toHaveLength(1);
  }
  for (const name of ["METRICS_TOKEN", "SMTP_URL"]) {
    expect(lines.filter((line) => line.startsWith(`  - ${name} `))).toHaveLength(1);
  }
  // The law requires naming the operator.
  for (const name of ["OPERATOR_NAME", "OPERATOR_ADDRESS", "OPERATOR_EMAIL", "DATA_PROTECTION_CONTACT"]) {
    expect(lines.filter((line) => line.startsWith(`  - ${name} is missing`))).toHaveLength(1);
  }
  expect(said).not.toMatch(/super-secret|metrics-token|hunter2|sereno\.example|api\.example/);
});
