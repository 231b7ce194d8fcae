// What is known before a body is read: the target, the caller's rights, and how much the caller may still send.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { startTestRestApi, type TestRestApi } from "#test/test-rest-api.ts";

const PERSON = "00000000-0000-4000-8000-000000000001";
const CHUNK = new TextEncoder().encode(" ".repeat(1_024));
let database: TestDatabase;
let rest: TestRestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  rest = await startTestRestApi(database.url, database.sql);
});

afterAll(async () => {
  await rest.stop();
  await database.drop();
});

/** Sends an endless body, and reports how much of it was read. */
async function send(
  path: string,
  { userId, api = rest.api }: { userId?: string; api?: TestRestApi["api"] } = {},
) {
  let bytesRead = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        bytesRead += CHUNK.length;
        controller.enqueue(CHUNK);
      },
    },
    { highWaterMark: 0 },
  );
  const [method = "", name = ""] = path.split(" ");
  // As Node receives it: a body that announces no length comes in chunks.
  const headers = { ...rest.headersOf(userId), "transfer-encoding": "chunked" };
  const init = { method, headers, body, duplex: "half" as const };
  const answer = await api(new Request(`http://localhost/rest/v1/${name}`, init), "192.0.2.1");
  return { status: answer.status, answer: (await answer.json()) as { code: string }, bytesRead };
}

test.each([
  ["POST no_such_table", 404, "PGRST205"],
  ["POST rpc/no_such_function", 404, "PGRST202"],
  ["POST searches", 401, "42501"],
  ["PATCH searches?id=eq.1", 401, "42501"],
  ["POST demo_listings", 401, "42501"],
  ["POST rpc/export_my_data", 401, "42501"],
] as const)("BYTE-01 of a guest's %s not a byte is read", async (path, status, code) => {
  expect(await send(path)).toEqual({ status, answer: expect.objectContaining({ code }), bytesRead: 0 });
});

test("BYTE-01 a person's body is read up to 64 kB where they may write, and not where they may not", async () => {
  expect(await send("POST market_figures", { userId: PERSON })).toMatchObject({ status: 403, bytesRead: 0 });
  const large = await send("POST own_places", { userId: PERSON });
  expect(large).toMatchObject({ status: 413, answer: { code: "PGRST102" } });
  expect(large.bytesRead).toBeLessThanOrEqual(65 * 1_024 + CHUNK.length);
  // A function without parameters takes no more than `{}`.
  const call = await send("POST rpc/export_my_data", { userId: PERSON });
  expect(call).toMatchObject({ status: 404, answer: { code: "PGRST202" } });
  expect(call.bytesRead).toBeLessThanOrEqual(2 * CHUNK.length);
});

test("BYTE-01 the bytes of a body are charged to its address and to its person before they are read", async () => {
  const small = await startTestRestApi(database.url, database.sql, {
    budget: { perAddress: 160, perPerson: 80 },
    now: () => 0,
  });
  // A quarter of the budget at once: 40 and 20. A body that announces no length counts as 17 requests.
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const sent = await send("POST own_places", { userId: PERSON, api: small.api });
    statuses.push(sent.status);
    if (sent.status === 429) expect(sent.bytesRead).toBe(0);
  }
  await small.stop();
  expect(statuses).toEqual([413, 429, 429, 429]);
});

test("an upsert of nothing but defaults respects `on_conflict`", async () => {
  await database.sql.unsafe(`
    create table public.singles (id int primary key default 1);
    grant select, insert, update on public.singles to authenticated`);
  const withTable = await startTestRestApi(database.url, database.sql);
  const upsert = () => withTable.clientOf(PERSON).from("singles").upsert({}, { onConflict: "id" });
  expect((await upsert()).status).toBe(201);
  expect(await upsert()).toMatchObject({ status: 201, error: null });
  await withTable.stop();
});
