// A backup that the landed version made, restored and started with this version. test/landed-version made it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createChat, createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { landedCity, writeLandedBackup } from "#test/landed-version/landed-backup.ts";
import { readAccount } from "#test/landed-version/read-account.ts";
import { RENT, SALE } from "#test/landed-version/simulated-city.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { startTestProduct } from "#test/test-product.ts";
import { runOps } from "./ops/run-ops.ts";

/** Longer than the lease of an alert whose sender has gone: the backup was made while one was at work. */
const patience = { timeout: 150_000, interval: 50 };
const { password, people, suspended, telegram: chatAccount } = landedCity;
const name = `landed_${process.pid}`;
const url = new URL(inject("serverUrl"));
url.pathname = `/${name}`;
const DATABASE_URL = url.href;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-landed-"));
  await run(inject("serverUrl"), `create database ${name}`);
  const backup = join(folder, "landed.backup");
  await writeLandedBackup(backup);
  const settings = { databaseUrl: DATABASE_URL, dataDir: folder };
  const restored = JSON.parse(await runOps(["restore", backup, "--json"], settings, new Date()));
  expect(restored).toMatchObject({ people: 4, searches: 6 });
});
afterAll(async () => {
  await run(inject("serverUrl"), `drop database ${name} with (force)`);
  await rm(folder, { recursive: true });
});

test("ONE-01 RUN-13 everybody of the landed version signs in with the old password and finds everything as it was", async () => {
  const product = await startTestProduct({ DATABASE_URL });
  for (const { email, account } of people) {
    const client = product.createClient();
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
    expect(await readAccount(client)).toEqual(account);
  }
  const refused = await product.createClient().auth.signInWithPassword({ email: suspended, password });
  expect(refused.error?.code).toBe("user_banned");
  const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });
  const finds = await sql`
    select listing_id from public.listings join public.chats using (user_id)
    where chat_id = ${chatAccount.chatId} and listing_id in ${sql(chatAccount.listingIds)} order by listing_id`;
  expect(finds.map(({ listing_id }) => listing_id)).toEqual(chatAccount.listingIds.toSorted());
  await sql.end();
  await product.stop();
});

test("ONE-01 RUN-13 COVER-01 nothing of the landed version is alerted again, and homes since its last check are alerted to everybody", async () => {
  const portal = await startPortalSimulator({ size: 0, newPerDay: 0, monthlyRequests: null });
  const telegram = await startTelegramSimulator();
  // The same phones and chats.
  const chatIds = [
    ...new Set(people.flatMap(({ account }) => account.chats.map((chat) => Number(chat.chat_id)))),
  ];
  const phones = Array.from({ length: 5 }, () => createPerson(telegram, { isStarted: true }).id);
  expect(phones).toContain(chatAccount.chatId);
  const [creatorId = 0] = phones;
  for (const id of chatIds.filter((id) => id < 0)) {
    createChat(telegram, { id, kind: "supergroup", creatorId });
    requireChatById(telegram, id).standing = "ok";
  }
  const finds = new Map(
    people
      .flatMap(({ account }) => Object.values(account.finds).flat())
      .map((find) => [find.listingId, find]),
  );
  const searchOf: Record<string, string> = { Navalcarnero: RENT, Galapagar: SALE };
  for (const { listingId, municipality, priceEur, formerPriceEur, areaM2, rooms } of finds.values()) {
    const search = searchOf[municipality ?? ""];
    if (search === undefined) continue;
    const fields = { code: listingId, priceEur: priceEur ?? 0, formerPriceEur, sizeM2: areaM2, rooms };
    expect(publishMatching(portal.market, { url: search, fields })).toMatchObject({ isPublished: true });
  }
  const publish = (priceEur: number) => publishMatching(portal.market, { url: RENT, fields: { priceEur } });
  publish(776);
  const product = await startTestProduct({
    ...simulatedServices(portal, telegram),
    ...{ DATABASE_URL, CHECK_INTERVAL_SECONDS: "5" },
  });
  const waiting = [...chatIds, chatAccount.chatId];
  const told = (chatId: number) => telegram.ledger.accepted.filter((message) => message.chatId === chatId);
  const waitFor = (count: number) =>
    expect.poll(() => waiting.filter((chatId) => told(chatId).length < count), patience).toEqual([]);
  await waitFor(1);
  publish(777);
  await waitFor(2);
  const prices = (chatId: number) => told(chatId).map(({ text }) => /€77\d/.exec(text)?.[0] ?? text);
  for (const chatId of waiting) expect(prices(chatId)).toEqual(["€776", "€777"]);
  expect(telegram.ledger.accepted).toHaveLength(2 * waiting.length);
  await product.stop();
  await Promise.all([portal.close(), telegram.close()]);
});
