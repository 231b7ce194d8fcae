import { expect, test } from "vitest";
import { type ClientOptions, createClient } from "./mini-app-client.ts";

const APP = "https://sereno.example";

function show(options: Partial<ClientOptions> = {}) {
  const events: [string, unknown?][] = [];
  const client = createClient({
    version: "9.6",
    appOrigin: APP,
    theme: { bg_color: "#ffffff" },
    send: (type, data) => void events.push(data === undefined ? [type] : [type, data]),
    ...options,
  });
  const say = (eventType: string, eventData: object = {}, origin = APP) =>
    client.receiveMessage(JSON.stringify({ eventType, eventData }), origin);
  return { client, events, say };
}

test.each([
  ["6.0", ["web_app_ready", "web_app_expand"]],
  ["7.10", ["web_app_ready", "web_app_expand", "web_app_setup_back_button", "web_app_setup_swipe_behavior"]],
  [
    "8.0",
    [
      ...["web_app_ready", "web_app_expand", "web_app_setup_back_button", "web_app_setup_swipe_behavior"],
      ...["web_app_request_safe_area", "web_app_send_prepared_message"],
    ],
  ],
])("MINI-05 a client of version %s ignores what is newer", (version, known) => {
  const { client, say } = show({ version });
  const methods = [
    ...["web_app_ready", "web_app_expand", "web_app_setup_back_button", "web_app_setup_swipe_behavior"],
    ...["web_app_request_safe_area", "web_app_send_prepared_message"],
  ];
  for (const method of methods) say(method);
  expect(client.calls.map(({ type }) => type)).toEqual(known);
  expect(client.ignored).toEqual(methods.filter((method) => !known.includes(method)));
});

test("MINI-05 a client ignores unknown methods, malformed JSON and other origins", () => {
  const { client, events, say } = show();
  say("web_app_sing");
  say("web_app_request_theme", {}, "https://evil.example");
  for (const malformed of ["{", "null", "7", undefined, { eventType: "web_app_request_theme" }])
    client.receiveMessage(malformed, APP);
  client.receiveCall("web_app_request_theme", "{");
  expect([client.calls, events]).toEqual([[], []]);
  client.receiveCall("web_app_request_theme", "{}");
  expect(events).toEqual([["theme_changed", { theme_params: { bg_color: "#ffffff" } }]]);
});

test("MINI-05 a client opens no link without a tap", () => {
  let isTapped = false;
  const { client, say } = show({ isTapped: () => isTapped });
  say("web_app_open_link", { url: "https://example.com" });
  expect(client.opened).toEqual([]);
  isTapped = true;
  say("web_app_open_link", { url: "https://example.com" });
  expect(client.opened).toEqual(["https://example.com"]);
});

test("MINI-05 a client shows three popups in three seconds", () => {
  let now = 0;
  const { client, say } = show({ now: () => now });
  for (let popup = 0; popup < 4; popup += 1) say("web_app_open_popup", { message: "Look" });
  expect([client.calls.length, client.ignored.length]).toEqual([3, 1]);
  now = 3_000;
  say("web_app_open_popup", { message: "Look" });
  expect(client.calls).toHaveLength(4);
});

test("MINI-04 a broken client answers nothing, and macOS sends no size", () => {
  const broken = show({ isSilent: true });
  broken.say("web_app_request_theme");
  broken.say("web_app_request_viewport");
  broken.client.changeTheme({ bg_color: "#000000" });
  expect(broken.events).toEqual([]);
  const mac = show();
  mac.say("web_app_request_viewport");
  expect(mac.events).toEqual([["viewport_changed", null]]);
});

test("MINI-05 a client says what became of a prepared message and of the question to write", async () => {
  const answers = [undefined, "MESSAGE_EXPIRED"];
  const { events, say } = show({ share: async () => answers.shift(), allowWriting: async () => true });
  say("web_app_send_prepared_message", { id: "1" });
  say("web_app_send_prepared_message", { id: "1" });
  say("web_app_request_write_access");
  await Promise.resolve();
  await Promise.resolve();
  expect(events).toEqual([
    ["prepared_message_sent"],
    ["prepared_message_failed", { error: "MESSAGE_EXPIRED" }],
    ["write_access_requested", { status: "allowed" }],
  ]);
});
