// A sender in a separate process, to be killed. On SIGTERM it finishes the messages in flight and exits.

import { openDatabase } from "#platform/database/open-database.ts";
import { createDelivery } from "#telegram/send/create-delivery.ts";
import { createTelegramChannel } from "#telegram/send/create-telegram-channel.ts";

const { DATABASE_URL = "", TELEGRAM_API_ROOT = "", TELEGRAM_BOT_TOKEN = "", LEASE_MS = "" } = process.env;
const sql = openDatabase({ url: DATABASE_URL, max: 6 });
const say = (facts: object, message: string) => console.log(JSON.stringify({ message, ...facts }));
const delivery = createDelivery({
  databaseUrl: DATABASE_URL,
  sql,
  channel: createTelegramChannel({
    token: TELEGRAM_BOT_TOKEN,
    apiRoot: TELEGRAM_API_ROOT,
    siteUrl: "https://sereno.example",
  }),
  logger: { info: say, warn: say, error: say },
  ...(LEASE_MS === "" ? {} : { leaseMs: Number(LEASE_MS) }),
});
delivery.start();
process.on("SIGTERM", () => void delivery.stop().then(() => sql.end()));
