// Nothing fetches an address that a person gave. Every module of the server side that sends HTTP requests is listed with where
// its addresses come from.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SENDERS: Readonly<Record<string, string>> = {
  "src/backend/auth/providers/provider-client.ts":
    "the operator's settings, and the provider's discovery document",
  "src/server/bot-name.ts": "the operator's settings",
  "src/server/doctor/check-map-tiles.ts": "the operator's settings",
  "src/server/doctor/check-mini-app.ts": "the operator's settings",
  "src/server/doctor/hosted-checks.ts": "the operator's settings",
  "src/server/doctor/operator-checks.ts": "the operator's settings",
  "src/server/doctor/service-checks.ts": "the operator's settings",
  "src/server/monitoring/notify-operator.ts": "the operator's settings",
  "src/server/monitoring/start-monitoring.ts": "the operator's settings",
  "src/sources/http-exchange.ts": "the operator's settings, with a path built from a parsed search",
  "src/telegram/bot/updates/native-fetch.ts": "grammY: Telegram's API",
};
const SENDS = /(?<![.\w])fetch\(|from "undici"|import \{[^}]*\b(?:request|get)\b[^}]*\} from "node:https?"/;

test("only listed modules send HTTP requests, and none to an address that a person gave", () => {
  const files = globSync("src/**/*.ts").filter((file) => !/^src\/web\/|\.test\.ts$/.test(file));
  const senders = files.filter((file) => SENDS.test(readFileSync(file, "utf8")));
  expect(senders.sort()).toEqual(Object.keys(SENDERS).sort());
});
