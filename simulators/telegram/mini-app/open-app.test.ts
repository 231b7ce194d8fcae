import { verify } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPerson } from "../phone/create.ts";
import { startTestTelegram } from "../test-client.ts";
import { openApp } from "./open-app.ts";
import { thirdPartyKey } from "./sign-init-data.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let ana: number;
const url = "https://sereno.example/es/app/finds?home=7";
const look = { version: "9.6", platform: "weba", theme: { bg_color: "#ffffff" } };

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  ana = createPerson(world.telegram, { firstName: "Ana", isStarted: true }).id;
});
afterAll(() => world.telegram.close());

const dataIn = (address: string) => {
  const data = new URLSearchParams(new URL(address).hash.slice(1)).get("tgWebAppData") ?? "";
  return new URLSearchParams(data);
};

test("MINI-01 a button and the menu give the user and a query, and no start parameter", async () => {
  const { body } = await world.call<{ message_id: number }>("sendMessage", {
    chat_id: ana,
    text: "Look",
    reply_markup: { inline_keyboard: [[{ text: "Open", web_app: { url } }]] },
  });
  const messageId = body.result?.message_id ?? 0;
  const address = openApp(world.telegram, ana, {
    way: "button",
    chatId: ana,
    messageId,
    text: "Open",
    ...look,
  });
  expect(address.startsWith(`${url}#tgWebAppData=`)).toBe(true);
  expect([...dataIn(address).keys()]).toEqual(["query_id", "user", "auth_date", "signature", "hash"]);
  expect(JSON.parse(dataIn(address).get("user") ?? "")).toMatchObject({ id: ana, allows_write_to_pm: true });
  expect(() => openApp(world.telegram, ana, { way: "menu", ...look })).toThrow();
  const menu_button = { type: "web_app", text: "Homes", web_app: { url } };
  await world.call("setChatMenuButton", { chat_id: ana, menu_button });
  expect(openApp(world.telegram, ana, { way: "menu", ...look }).startsWith(url)).toBe(true);
});

test("MINI-03 a link gives a start parameter, signed and in the address, and no query", () => {
  const link = { way: "link", parameter: "home-7", chatType: "group", mainAppUrl: url, ...look } as const;
  expect(() => openApp(world.telegram, ana, link)).toThrow("BOT_INVALID");
  world.telegram.hasMainApp = true;
  const address = openApp(world.telegram, ana, link);
  expect(new URL(address).searchParams.get("tgWebAppStartParam")).toBe("home-7");
  expect(Object.fromEntries(dataIn(address))).toMatchObject({ start_param: "home-7", chat_type: "group" });
  expect([...dataIn(address).keys()]).toEqual([
    ...["user", "chat_instance", "chat_type", "start_param", "auth_date", "signature", "hash"],
  ]);
  expect(() => openApp(world.telegram, ana, { ...link, parameter: "a b" })).toThrow("START_PARAM_INVALID");
});

test.each(["keyboard", "inline"] as const)("MINI-01 a button of the %s does not say who is there", (way) => {
  const address = openApp(world.telegram, ana, { way, url, ...look });
  const fragment = new URLSearchParams(new URL(address).hash.slice(1));
  expect(fragment.has("tgWebAppData")).toBe(false);
  expect([fragment.get("tgWebAppVersion"), fragment.get("tgWebAppBotInline")]).toEqual([
    "9.6",
    way === "inline" ? "1" : null,
  ]);
});

test("MINI-01 launch data is encoded as Telegram's, and third parties can check it without the bot's token", async () => {
  const menu_button = { type: "web_app", text: "Homes", web_app: { url } };
  await world.call("setChatMenuButton", { chat_id: ana, menu_button });
  const named = createPerson(world.telegram, { firstName: "Ana/Анна + & =", isStarted: true }).id;
  await world.call("setChatMenuButton", { chat_id: named, menu_button });
  const address = openApp(world.telegram, named, { way: "menu", ...look });
  const fields = [...dataIn(address)];
  expect(new Map(fields).get("user")).toContain('"first_name":"Ana\\/Анна + & ="');
  expect(address).toContain("Ana%255C%252F");
  const lines = fields.filter(([name]) => name !== "hash" && name !== "signature");
  const text = `${world.telegram.bot.id}:WebAppData\n${lines
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n")}`;
  const signature = Buffer.from(new Map(fields).get("signature") ?? "", "base64url");
  expect(verify(null, Buffer.from(text), thirdPartyKey, signature)).toBe(true);
  expect(verify(null, Buffer.from(`${text} `), thirdPartyKey, signature)).toBe(false);
});
