// The data API's own way to the database, against lite's: the same questions to both, on one database.
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { connectLite, createLiteApp, createSupabaseLite, type SupabaseLite } from "../supabase-lite.ts";

type Question = { path: string; method?: string; headers?: Record<string, string>; body?: unknown };
type Asker = { id: string; token: string } | undefined;

const KEY = "sb_publishable_0123456789";
const patience = { timeout: 20_000, interval: 50 };
let database: TestDatabase;
let ours: SupabaseLite;
let lites: ReturnType<typeof connectLite>;
let askLite: (request: Request) => Promise<Response>;
let alice: NonNullable<Asker>;
let bob: NonNullable<Asker>;
let questions: Question[];

beforeAll(async () => {
  // lite prints every error that it answers with.
  vi.spyOn(console, "error").mockImplementation(() => {});
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create view public.slow with (security_invoker) as select pg_sleep(30)::text as slept;
    grant select on public.slow to authenticated;`);
  const options = {
    databaseUrl: database.url,
    jwtSecret: "a-secret-of-this-test-0123456789-0123456789",
    publishableKey: KEY,
    siteUrl: "http://localhost",
    redirectUrls: [],
    sendRawMail: async () => {},
  };
  ours = createSupabaseLite(options);
  lites = connectLite(options, { max: 4 });
  const app = createLiteApp(options, lites);
  askLite = async (request) => app.fetch(request, { peerAddress: null });
  [alice, bob] = [await signUp("alice"), await signUp("bob")];
  for (const { id } of [alice, bob]) {
    await database.sql`
      insert into public.filter_settings (user_id, filter_url, receiver_ids)
      values (${id}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', '{123456}')`;
  }
  questions = await everyQuestion();
});

afterAll(async () => {
  await Promise.all([ours.close(), lites.driver.end({ timeout: 1 })]);
  await database.drop();
});

async function signUp(name: string): Promise<NonNullable<Asker>> {
  const body = JSON.stringify({ email: `${name}@example.com`, password: `${name}-password` });
  const headers = { apikey: KEY, "content-type": "application/json" };
  const request = new Request("http://localhost/auth/v1/signup", { method: "POST", headers, body });
  const answer = (await (await ours.fetch(request)).json()) as { access_token: string; user: { id: string } };
  return { id: answer.user.id, token: answer.access_token };
}

function requestOf({ path, method = "GET", headers, body }: Question, asker: Asker): Request {
  return new Request(`http://localhost/rest/v1/${path}`, {
    method,
    headers: {
      apikey: KEY,
      authorization: `Bearer ${asker?.token ?? KEY}`,
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const askOurs = async (question: Question, asker: Asker) =>
  (await ours.ask(requestOf(question, asker), asker && decodeJwt(asker.token))).answer;

async function said(answer: Response) {
  const whole = await answer.text();
  // The only answer that says when it was given, and is as long as that takes.
  const text = whole.replace(/"exported_at":"[^"]*"/, "");
  const headers = [...answer.headers].filter(([name]) => text === whole || name !== "content-length");
  return { status: answer.status, headers, text };
}

/** Everything the catalogue has, read in every way, and much that it has not. */
async function everyQuestion(): Promise<Question[]> {
  const { sql } = database;
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select table_name as table, column_name as name, udt_name as type
    from information_schema.columns where table_schema = 'public' and table_name <> 'slow' order by 1, ordinal_position`;
  const tables = [...new Set(columns.map(({ table }) => table))];
  const functions = await sql<{ name: string }[]>`
    select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
  const readings = [
    "select=*",
    "limit=1&offset=1",
    "select=*,users(*)",
    "select=*,profiles(*)",
    "nothing=eq.1",
  ];
  const oddReadings = ["", "select=nothing", "select=count()", "order=nothing", "or=(nothing.eq.1,id.eq.2)"];
  const headers = [
    { prefer: "count=exact" },
    { accept: "application/vnd.pgrst.object+json" },
    { accept: "text/csv" },
    { range: "0-0", prefer: "count=exact" },
    { "accept-profile": "auth" },
    { "accept-profile": "watch" },
  ];
  const odd = ["users", "sessions", "job", "nowhere", "rpc/nothing"];
  const mine = "filter_settings";
  return [
    ...tables.flatMap((table) => readings.map((query) => ({ path: `${table}?${query}` }))),
    ...oddReadings.map((query) => ({ path: `${mine}?${query}` })),
    ...headers.map((header) => ({ path: `${mine}?select=*`, headers: header })),
    ...tables.map((table) => ({ path: table, method: "HEAD", headers: { prefer: "count=exact" } })),
    ...columns.map(({ table, name }) => ({
      path: `${table}?select=${name},alias:${name}::text&${name}=not.is.null&order=${name}.desc`,
    })),
    ...columns.map(({ table, name }) => ({ path: `${table}?${name}=in.(1,true,madrid)` })),
    ...functions.flatMap(({ name }) => [
      { path: `rpc/${name}` },
      { path: `rpc/${name}?nothing=1`, method: "HEAD" },
      { path: `rpc/${name}`, method: "POST", body: { nothing: 1 } },
    ]),
    ...odd.map((path) => ({ path })),
  ];
}

test("DOOR-02 every question gets lite's own answer, to the byte, whoever asks", async () => {
  expect(questions.length).toBeGreaterThan(150);
  const statuses = new Set<number>();
  for (const asker of [alice, undefined]) {
    for (const question of questions) {
      const expected = await said(await askLite(requestOf(question, asker)));
      const answer = await said(await askOurs(question, asker));
      expect(answer, JSON.stringify({ ...question, isGuest: !asker })).toEqual(expected);
      statuses.add(answer.status);
    }
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 406]));
});

test("DOOR-02 every change gets lite's own answer, and leaves what lite's leaves", async () => {
  const row = (user: NonNullable<Asker>) => ({
    user_id: user.id,
    filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    receiver_ids: ["123456"],
  });
  const back = { prefer: "return=representation" };
  const path = "filter_settings";
  const mine = `${path}?user_id=eq.${alice.id}`;
  const changes: Question[] = [
    { path: mine, method: "DELETE", headers: back },
    { path, method: "POST", body: row(alice) },
    { path, method: "POST", body: row(alice) },
    { path, method: "POST", body: row(bob), headers: back },
    { path, method: "POST", body: { ...row(alice), filter_url: "nothing" } },
    { path, method: "POST", body: { nothing: 1 } },
    { path: mine, method: "PATCH", body: { receiver_ids: ["7", "8"] }, headers: back },
    { path: `${path}?user_id=eq.${bob.id}`, method: "PATCH", body: { receiver_ids: ["9"] }, headers: back },
    { path: mine, method: "PATCH", body: { receiver_ids: [] } },
    { path: `${mine}&select=filter_url`, method: "PATCH", body: { receiver_ids: ["1"] }, headers: back },
    {
      path: `${path}?on_conflict=user_id`,
      method: "POST",
      body: row(alice),
      headers: { prefer: "resolution=merge-duplicates,return=representation" },
    },
    { path: "rpc/my_watch", method: "POST", body: {} },
    { path: "rpc/end_my_session", method: "POST", body: { session_id: crypto.randomUUID() } },
    { path: "rpc/end_my_session?session_id=x" },
    { path: "profiles", method: "DELETE" },
  ];
  // Ids and times, and with them lengths, are new each time.
  const masked = async (answer: Response) => {
    const { status, headers, text } = await said(answer);
    const isFixed = ([name = ""]: string[]) => name !== "content-length";
    return JSON.stringify({ status, headers: headers.filter(isFixed), text }).replaceAll(
      /[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.+]+/g,
      "~",
    );
  };
  const left = async () => database.sql`
    select user_id, filter_url, receiver_ids from public.filter_settings order by user_id`;
  for (const asker of [alice, undefined]) {
    const wanted: unknown[] = [];
    for (const change of changes)
      wanted.push(await masked(await askLite(requestOf(change, asker))), await left());
    const done: unknown[] = [];
    for (const change of changes) done.push(await masked(await askOurs(change, asker)), await left());
    expect(done).toEqual(wanted);
  }
});

test("DOOR-02 of many at once on the same connections, each sees their own rows alone", async () => {
  const askers = Array.from({ length: 90 }, (_, number) => [alice, bob, undefined][number % 3]);
  const owners = await Promise.all(
    askers.map(async (asker) => {
      const answer = await askOurs({ path: "filter_settings?select=user_id" }, asker);
      return answer.ok
        ? ((await answer.json()) as { user_id: string }[]).map((row) => row.user_id)
        : "refused";
    }),
  );
  expect(owners).toEqual(askers.map((asker) => (asker ? [asker.id] : "refused")));
});

test("DOOR-02 a table that changes under a prepared question is answered as it is now", async () => {
  const read = async () =>
    Object.keys(JSON.parse((await said(await askOurs({ path: "profiles?select=*" }, alice))).text)[0]);
  const before = await read();
  expect(await read()).toEqual(before);
  await database.sql`alter table public.profiles add column later text default 'new'`;
  // On whichever of the connections.
  const answers = await Promise.all(Array.from({ length: 30 }, read));
  await database.sql`alter table public.profiles drop column later`;
  expect(answers).toEqual(Array(30).fill([...before, "later"]));
});

test("DOOR-12 a value that the driver cannot write is refused alone, also to a question that it knows already", async () => {
  const ask = (value: string) =>
    ours.ask(requestOf({ path: `filter_settings?select=receiver_ids&receiver_ids=eq.${value}` }, alice), {
      ...decodeJwt(alice.token),
    });
  for (const round of [1, 2, 3]) {
    const answers = await Promise.all(["{123456}", "1", '{"a":1}', "true", "{123456}"].map(ask));
    const told = answers.map(({ answer }) => answer.status);
    expect([round, told[0], told[4]]).toEqual([round, 200, 200]);
    expect(told.filter((status) => status >= 400).length).toBeGreaterThan(0);
  }
});

test("DOOR-02 a request whose connection is lost fails alone, and the next ones are answered", async () => {
  const lost = Array.from({ length: 4 }, async () => {
    const { answer, error } = await ours.ask(requestOf({ path: "slow" }, alice), decodeJwt(alice.token));
    return [answer.status, error];
  });
  const end = () => database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`;
  let ended = 0;
  await expect.poll(async () => (ended += (await end()).length), patience).toBeGreaterThanOrEqual(4);
  const isLost = expect.objectContaining({ code: expect.stringMatching(/^(?:CONNECTION_|57P01)/) });
  expect(await Promise.all(lost)).toEqual(Array(4).fill([500, isLost]));
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => askOurs({ path: "profiles?select=id" }, alice)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
});
