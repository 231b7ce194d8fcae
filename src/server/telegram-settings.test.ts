import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const token = "1234567890:from-BotFather-xxxxxxxxxxxxxxxxxxxxx";
const WEB = { ROLES: "web", SMTP_URL: "smtp://localhost", MAIL_FROM: "sereno@sereno.example" };
const appOf = (settings: Record<string, string>) => readConfig({ ...WEB, ...settings }).telegram.miniApp;

test("MINI-02 the Mini App is offered with https and a bot, framed by Telegram's web version alone", () => {
  const site = { SITE_URL: "https://sereno.example" };
  expect(appOf({ ...site, TELEGRAM_BOT_TOKEN: token })).toEqual({ framedBy: "https://web.telegram.org" });
  expect(appOf(site)).toBeUndefined();
  expect(appOf({ TELEGRAM_BOT_TOKEN: token })).toBeUndefined();
  expect(appOf({ ...site, TELEGRAM_BOT_TOKEN: token, MINI_APP: "off" })).toBeUndefined();
  const test = { MINI_APP: "on", TELEGRAM_WEB_URL: "http://localhost:3001/console" };
  expect(appOf({ TELEGRAM_BOT_TOKEN: token, ...test })).toEqual({ framedBy: "http://localhost:3001" });
});

test("MINI-01 with hosted Supabase the Mini App is off, which cannot open a session from a launch", () => {
  const hosted = { SUPABASE_URL: "https://x.supabase.co", SUPABASE_PUBLISHABLE_KEY: "k" };
  const own = { SITE_URL: "https://sereno.example", DATABASE_URL: "postgres://localhost/x" };
  expect(appOf({ ...own, ...hosted, TELEGRAM_BOT_TOKEN: token, MINI_APP: "on" })).toBeUndefined();
});
