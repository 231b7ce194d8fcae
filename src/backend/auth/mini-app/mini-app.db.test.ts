import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInitData } from "#simulators/telegram/mini-app/sign-init-data.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { GRANT_EVENTS } from "../grants/grants.ts";

const TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8";
const MINUTE = 60_000;
let world: TestAuth;
let made = 0;

beforeAll(async () => {
  world = await startTestAuth({ botToken: TOKEN });
});
afterAll(() => world.stop());

async function createPerson(known?: number): Promise<{ id: string; telegramId: number }> {
  made += 1;
  const [id, telegramId] = [randomUUID(), known ?? 800_000 + made];
  await world.database.sql`insert into auth.users (id, email) values (${id}, ${`app${made}@example.com`})`;
  await world.database.sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${id}, 'custom:telegram', ${String(telegramId)}, '{}')`;
  return { id, telegramId };
}

let launches = 0;
function launchOf(telegramId: number, atMs = world.clock.now()): string {
  launches += 1;
  const auth_date = Math.floor(atMs / 1000);
  return signInitData(
    { query_id: `q${launches}`, user: { id: telegramId, first_name: "Ana" }, auth_date },
    TOKEN,
  );
}

const open = (init_data: unknown, address?: string) =>
  world.send("token?grant_type=telegram_mini_app", { body: { init_data }, ...(address ? { address } : {}) });
type Answer = { error_code?: string; access_token: string; refresh_token: string; user: { id: string } };
const read = async (answer: Response) => (await answer.json()) as Answer;
const codeOf = async (answer: Response) => (await read(answer)).error_code;
const sessionsOf = (id: string) => world.database.sql`select id from auth.sessions where user_id = ${id}`;
const sessionIn = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).session_id;

test("MINI-01 signed launch data opens a session of its Telegram user, as a token answer", async () => {
  const { id, telegramId } = await createPerson();
  const answer = await open(launchOf(telegramId));
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const session = await read(answer);
  expect(session.user.id).toBe(id);
  const user = await world.send("user", {
    method: "GET",
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  expect(((await user.json()) as { id: string }).id).toBe(id);
  const refreshed = await world.send("token?grant_type=refresh_token", {
    body: { refresh_token: session.refresh_token },
  });
  expect(refreshed.status).toBe(200);
});

test("MINI-01 the session proves nothing that a deletion of the account asks for", async () => {
  const { telegramId } = await createPerson();
  const { access_token } = await read(await open(launchOf(telegramId)));
  const claims = await world.database.sql`
    select from auth.mfa_amr_claims where session_id = ${sessionIn(access_token)}`;
  expect(claims).toHaveLength(0);
});

test("MINI-01 a Telegram user without an account opens nothing, and a connected chat is no sign-in", async () => {
  expect(await codeOf(await open(launchOf(799_999)))).toBe("user_not_found");
  const { id } = await createPerson();
  await world.database
    .sql`insert into watch.chats (chat_id, kind, standing) values (799998, 'private', 'ok')`;
  await world.database.sql`
    insert into public.chats (user_id, chat_id, state, confirmed_at) values (${id}, 799998, 'connected', now())`;
  expect(await codeOf(await open(launchOf(799_998)))).toBe("user_not_found");
});

test("MINI-04 a reload with the same data replaces the session it opened, also if it comes twice at once", async () => {
  const { id, telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  const first = await read(await open(raw));
  const second = await read(await open(raw));
  expect(await sessionsOf(id)).toHaveLength(1);
  const old = await world.send("user", {
    method: "GET",
    headers: { authorization: `Bearer ${first.access_token}` },
  });
  expect(old.status).toBe(403);
  await Promise.all([open(raw), open(raw), open(raw)]);
  expect(await sessionsOf(id)).toHaveLength(1);
  expect(second.user.id).toBe(id);
  const [launch] = await world.database.sql`select uses from private.telegram_launches where user_id = ${id}`;
  expect(launch?.uses).toBe(5);
});

test("MINI-01 launch data opens nothing once the session that it opened has ended", async () => {
  const { id, telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  const { access_token } = await read(await open(raw));
  const out = await world.send("logout?scope=local", {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(out.status).toBe(204);
  expect(await codeOf(await open(raw))).toBe("init_data_expired");
  expect(await sessionsOf(id)).toHaveLength(0);
});

test("MINI-01 TIME-01 launch data that opened a deleted account opens no later one of the same Telegram user", async () => {
  const { id, telegramId } = await createPerson();
  const [used, unused] = [launchOf(telegramId), launchOf(telegramId)];
  expect((await open(used)).status).toBe(200);
  await world.database.sql`delete from auth.users where id = ${id}`;
  const later = await createPerson(telegramId);
  expect(await codeOf(await open(used))).toBe("init_data_expired");
  expect(await sessionsOf(later.id)).toHaveLength(0);
  expect((await read(await open(unused))).user.id).toBe(later.id);
});

test("MINI-01 the body names its data once, and other kinds of values and spellings are refused", async () => {
  const { id, telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  const bodies = [
    ...[
      { init_data: [raw] },
      { init_data: { raw } },
      { init_data: null },
      { Init_Data: raw },
      { initData: raw },
    ],
    ...[[raw], raw],
  ];
  for (const body of bodies) {
    const answer = await world.send("token?grant_type=telegram_mini_app", { body });
    expect(answer.status).toBe(400);
  }
  for (const query of ["grant_type=TELEGRAM_MINI_APP", "grant_type=telegram_mini_app&grant_type=password"])
    expect((await world.send(`token?${query}`, { body: { init_data: raw } })).status).toBe(400);
  expect(await sessionsOf(id)).toHaveLength(0);
});

test("MINI-01 the same launch in another spelling is no second launch", async () => {
  const { id, telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  const spelled = raw.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  const reordered = raw.split("&").reverse().join("&&");
  for (const spelling of [raw, spelled, reordered, raw.replace("hash=", "%68ash=")])
    expect((await open(spelling)).status).toBe(200);
  expect(await sessionsOf(id)).toHaveLength(1);
});

test.each(GRANT_EVENTS.filter((event) => event !== "signed-out-here" && event !== "deleted"))(
  "TIME-01 MINI-01 launch data that was signed before %s opens nothing",
  async (event) => {
    const { id, telegramId } = await createPerson();
    const before = launchOf(telegramId, world.clock.now() - 2_000);
    await world.database.sql`select private.end_grants(${id}, ${event}, null)`;
    expect((await open(before)).status).toBeGreaterThanOrEqual(400);
    expect(await sessionsOf(id)).toHaveLength(0);
  },
);

test("MINI-01 after a new password, a launch that was signed later opens a session", async () => {
  const { id, telegramId } = await createPerson();
  await world.database.sql`select private.end_grants(${id}, 'password-changed', null)`;
  expect((await open(launchOf(telegramId, world.clock.now() + 2_000))).status).toBe(200);
});

test("MINI-01 a disconnected Telegram user, a deleted account and a suspended person open nothing", async () => {
  const one = await createPerson();
  await world.database.sql`delete from auth.identities where user_id = ${one.id}`;
  expect(await codeOf(await open(launchOf(one.telegramId)))).toBe("user_not_found");
  const two = await createPerson();
  await world.database.sql`delete from auth.users where id = ${two.id}`;
  expect(await codeOf(await open(launchOf(two.telegramId)))).toBe("user_not_found");
  const three = await createPerson();
  await world.database
    .sql`update auth.users set banned_until = now() + interval '1 year' where id = ${three.id}`;
  expect(await codeOf(await open(launchOf(three.telegramId, world.clock.now() + 2_000)))).toBe("user_banned");
});

test("MINI-01 forged and old data are refused, and no answer repeats what was sent", async () => {
  const { telegramId } = await createPerson();
  const forged = launchOf(telegramId).replace(/hash=..../, "hash=0000");
  const answer = await open(forged);
  const text = await answer.text();
  expect([answer.status, JSON.parse(text).error_code]).toEqual([400, "bad_init_data"]);
  expect(text).not.toContain(String(telegramId));
  expect(await codeOf(await open(launchOf(telegramId, world.clock.now() - 61 * MINUTE)))).toBe(
    "init_data_expired",
  );
  expect(await codeOf(await open({}))).toBe("validation_failed");
  expect(await codeOf(await open(""))).toBe("validation_failed");
});

test("MINI-01 launches are limited by Telegram user and by address", async () => {
  const { telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  const statuses: number[] = [];
  for (let use = 0; use < 31; use += 1) statuses.push((await open(raw)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  const guesses: number[] = [];
  for (let use = 0; use < 40; use += 1) guesses.push((await open(`guess=${use}`, "203.0.113.7")).status);
  expect(guesses.at(-1)).toBe(429);
});

test("READ-07 MINI-01 the owner sees one entry for a launch, however often it is repeated", async () => {
  const { id, telegramId } = await createPerson();
  const raw = launchOf(telegramId);
  await open(raw);
  await open(raw);
  expect(world.events.filter(({ userId }) => userId === id).map(({ kind }) => kind)).toEqual(["mini_app"]);
});

test("MINI-01 remembered launches are deleted when their data is no longer valid", async () => {
  const { telegramId } = await createPerson();
  await open(launchOf(telegramId));
  world.clock.advance(3 * 60 * MINUTE);
  await world.auth.deleteExpired();
  expect(await world.database.sql`select from private.telegram_launches`).toHaveLength(0);
});

test("MINI-01 without a bot's token the way does not exist", async () => {
  const other = await startTestAuth();
  const answer = await other.send("token?grant_type=telegram_mini_app", { body: { init_data: "x=1" } });
  expect(await codeOf(answer)).toBe("provider_disabled");
  await other.stop();
});
