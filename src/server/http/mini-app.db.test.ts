import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInitData } from "#simulators/telegram/mini-app/sign-init-data.ts";
import { sharePrepared } from "#simulators/telegram/phone/app-acts.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { startTestTelegram } from "#simulators/telegram/test-client.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let telegram: Awaited<ReturnType<typeof startTestTelegram>>["telegram"];
let product: TestProduct;
let ana: { id: string; token: string; phone: number };

beforeAll(async () => {
  ({ telegram } = await startTestTelegram({ floodControl: false }));
  product = await startTestProduct({
    MINI_APP: "on",
    TELEGRAM_BOT_TOKEN: telegram.bot.token,
    TELEGRAM_API_ROOT: telegram.url,
  });
  ana = await signUp("ana@example.com");
  await product.database.sql`
    insert into public.listings (user_id, listing_id, details) values (${ana.id}, '501', ${listingOf("501") as never})`;
  await product.database
    .sql`insert into public.marks (user_id, listing_id, note) values (${ana.id}, '501', 'Our secret')`;
});
afterAll(async () => {
  await product.stop();
  await telegram.close();
});

async function signUp(email: string) {
  const { data } = await product.createClient().auth.signUp({ email, password: "correct horse battery" });
  const id = data.user?.id ?? "";
  const phone = createPerson(telegram, { firstName: "Ana" }).id;
  await product.database.sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${id}, 'custom:telegram', ${String(phone)}, '{}')`;
  return { id, token: data.session?.access_token ?? "", phone };
}

const share = (body: unknown, token?: string) =>
  fetch(`${product.url}/telegram/share`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });

test("MINI-05 RULE-06 a home is prepared as the card of “Send to…”, in the page's language and without anything of the person's", async () => {
  const answer = await share({ listingId: "501", language: "es" }, ana.token);
  const { preparedId } = (await answer.json()) as { preparedId: string };
  expect(sharePrepared(telegram, { personId: ana.phone, preparedId, chatId: ana.phone })).toBeUndefined();
  const sent = JSON.stringify(telegram.chats.get(ana.phone)?.messages.at(-1)?.message);
  for (const fact of ["1.250", "58", "Trafalgar", "idealista.com/inmueble/501"]) expect(sent).toContain(fact);
  expect(sent).not.toMatch(/Our secret|ana@example|callback_data|localhost/);
});

test("MINI-05 nobody prepares another account's home, and nobody without a session any", async () => {
  const bob = await signUp("bob@example.com");
  const order = { listingId: "501", language: "en" };
  const statuses = [
    await share(order, bob.token),
    await share({ ...order, listingId: "502" }, ana.token),
    await share(order),
    await share(order, `${ana.token.slice(0, -4)}AAAA`),
    await share(order, product.publishableKey),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 401, 401, 401]);
  for (const body of [{}, { ...order, language: "xx" }, { ...order, userId: ana.id }, "", null])
    expect((await share(body, ana.token)).status).toBe(400);
});

test("BYTE-01 MINI-05 whoever has no session is answered before their body arrives, and a long one is refused", async () => {
  const { port } = new URL(product.url);
  const headers = { "content-type": "application/json" };
  const begin = (more: object) => {
    const request = http.request({
      port,
      path: "/telegram/share",
      method: "POST",
      headers: { ...headers, ...more },
    });
    request.on("error", () => {});
    request.write("{");
    return request;
  };
  const guest = begin({});
  const [answer] = (await once(guest, "response")) as [http.IncomingMessage];
  expect(answer.statusCode).toBe(401);
  guest.destroy();
  const person = begin({ authorization: `Bearer ${ana.token}` });
  person.end(" ".repeat(100_000));
  expect(((await once(person, "response")) as [http.IncomingMessage])[0].statusCode).toBe(413);
});

test("TIME-02 MINI-05 a session that ends while its request arrives prepares nothing", async () => {
  const dora = await signUp("dora@example.com");
  await product.database.sql`
    insert into public.listings (user_id, listing_id, details) values (${dora.id}, '501', ${listingOf("501") as never})`;
  const body = JSON.stringify({ listingId: "501", language: "en" });
  const request = http.request(`${product.url}/telegram/share`, {
    method: "POST",
    headers: { authorization: `Bearer ${dora.token}`, "content-length": body.length },
  });
  request.write(body.slice(0, 10));
  await sleep(500);
  await product.database.sql`delete from auth.sessions where user_id = ${dora.id}`;
  request.end(body.slice(10));
  const [answer] = (await once(request, "response")) as [http.IncomingMessage];
  answer.resume();
  expect([401, 404]).toContain(answer.statusCode);
});

test("MINI-05 a message that Telegram refuses is a failure that the page can name, and sharing has a limit", async () => {
  telegram.people.delete(ana.phone);
  const statuses: number[] = [];
  for (let use = 0; use < 20; use += 1)
    statuses.push((await share({ listingId: "501", language: "en" }, ana.token)).status);
  expect(new Set(statuses)).toEqual(new Set([502, 429]));
});

test("MINI-01 launch data is in no log, whether it opens a session or not", async () => {
  const dan = await signUp("dan@example.com");
  const user = { id: dan.phone, first_name: "Dan" };
  const fields = { query_id: "AAF1", user, auth_date: Math.floor(Date.now() / 1000) };
  const raw = signInitData(fields, telegram.bot.token);
  const open = (init_data: string) =>
    fetch(`${product.url}/auth/v1/token?grant_type=telegram_mini_app`, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: product.publishableKey },
      body: JSON.stringify({ init_data }),
    });
  const attempts = [raw, raw.replace("Dan", "Don"), `${raw}&hash=1`];
  expect(await Promise.all(attempts.map(async (data) => (await open(data)).status))).toEqual([200, 400, 400]);
  expect(product.log()).toContain("/auth/v1/token");
  expect(product.log()).not.toMatch(new RegExp(`query_id|${new URLSearchParams(raw).get("hash")}`));
});

test("MINI-05 the bot's token appears neither in an answer nor in the log", async () => {
  telegram.isTokenRevoked = true;
  const cleo = await signUp("cleo@example.com");
  await product.database.sql`
    insert into public.listings (user_id, listing_id, details) values (${cleo.id}, '501', ${listingOf("501") as never})`;
  const answer = await share({ listingId: "501", language: "en" }, cleo.token);
  expect(answer.status).toBe(502);
  expect((await answer.text()) + product.log()).not.toContain(telegram.bot.token.split(":")[1]);
});
