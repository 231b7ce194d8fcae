import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUp, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: Person["client"];

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
  for (const person of [alice, bob]) await giveThings(person);
});

afterAll(() => product.stop());

async function giveThings({ id, client }: Person): Promise<void> {
  const { error } = await client.from("filter_settings").insert({
    user_id: id,
    filter_url: `https://www.idealista.com/alquiler-viviendas/madrid-madrid/${id}/`,
    receiver_ids: ["123456789"],
  });
  expect(error).toBeNull();
  await product.database.sql`
    insert into public.listings (listing_id, user_id, details) values
      ('100000001', ${id}, ${product.database.sql.json({ title: `Flat for ${id}` })})`;
  await product.database
    .sql`insert into public.marks (user_id, listing_id, mark) values (${id}, '100000001', 'kept')`;
  const place = { name: "work", latitude: 40.4, longitude: -3.7 };
  expect((await client.from("own_places").insert(place)).error).toBeNull();
  expect((await client.from("find_settings").insert({ about: "two, and no dog" })).error).toBeNull();
  expect((await client.rpc("note_find", { listing_id: "100000001", note: "dark" })).error).toBeNull();
  expect((await client.rpc("create_telegram_link")).error).toBeNull();
  expect((await client.rpc("renew_mail_address")).error).toBeNull();
  const happenedAt = new Date();
  await product.database.sql`
    insert into private.security_events (user_id, kind, browser, platform, began_at, happened_at)
    values (${id}, 'sign_in', 'Firefox', 'Linux', ${happenedAt}, ${happenedAt})`;
  await product.database.sql`
    insert into private.known_browsers (user_id, browser_hash, last_used_at) values (${id}, '\\x00', ${happenedAt})
    on conflict do nothing`;
  await product.database.sql`
    insert into public.received_mails (user_id, outcome, portal) values (${id}, 'alert', 'fotocasa')`;
}

test("T09 MAIL-03 FIND-07 READ-07 the export contains the caller's account, filter, chats, listings, alerts, marks, places, settings, mails and security events, and nothing of anyone else", async () => {
  const { data, error } = await alice.client.rpc("export_my_data");
  expect(error).toBeNull();
  expect(data).toEqual({
    exported_at: expect.stringMatching(/^\d{4}-/),
    account: {
      id: alice.id,
      email: "alice@example.com",
      new_email: null,
      full_name: "alice",
      language: null,
      created_at: expect.stringMatching(/^\d{4}-/),
      last_sign_in_at: expect.stringMatching(/^\d{4}-/),
      metadata: expect.objectContaining({ full_name: "alice" }),
      sign_in_with: ["email"],
    },
    searches: [expect.objectContaining({ is_first: true, receiver_ids: ["123456789"] })],
    chats: [expect.objectContaining({ chat_id: 123456789, state: "waiting" })],
    listings: [
      expect.objectContaining({ listing_id: "100000001", details: { title: `Flat for ${alice.id}` } }),
    ],
    alerts: [expect.objectContaining({ kind: "question", payload: {} })],
    marks: [expect.objectContaining({ listing_id: "100000001", mark: "kept", note: "dark" })],
    own_places: [expect.objectContaining({ name: "work", latitude: 40.4, longitude: -3.7 })],
    find_settings: expect.objectContaining({ about: "two, and no dog", hidden_warnings: [] }),
    mail_address: expect.objectContaining({ token: expect.stringMatching(/^[0-9a-f]{32}$/) }),
    received_mails: [expect.objectContaining({ outcome: "alert", portal: "fotocasa" })],
    // The export itself is one of them.
    security_events: expect.arrayContaining([
      expect.objectContaining({ kind: "sign_in", browser: "Firefox", platform: "Linux", times: 1 }),
      expect.objectContaining({ kind: "export", times: 1 }),
    ]),
    profile: { mails_when_away: true, time_zone: null },
    sign_ins: [expect.objectContaining({ provider: "email" })],
    sessions: [expect.objectContaining({ created_at: expect.stringMatching(/^\d{4}-/) })],
    address_proved_at: null,
    ...{ left_outs: [], mail_listings: [], search_chats: [], travel_times: [], search_previews: [] },
    ...{ coverage: [], gaps: [], told: [] },
    ...{ waiting_searches: [], unreachable_since: null, alerts_mailed_at: null },
    chat_questions: [expect.objectContaining({ chat_id: 123456789, answer: null })],
  });
  const text = JSON.stringify(data);
  expect(text).not.toContain(bob.id);
  expect(text).not.toContain("bob@example.com");
  expect(text).not.toMatch(/encrypted_password|\$2[aby]\$|_token/);
});

test("the export of a new account has empty lists, not missing ones", async () => {
  const carol = await signUp(product, "carol");
  const { data } = await carol.client.rpc("export_my_data");
  expect(data).toMatchObject({
    account: { id: carol.id },
    searches: [],
    chats: [],
    listings: [],
    alerts: [],
    own_places: [],
    find_settings: null,
    mail_address: null,
    received_mails: [],
  });
});

test("a guest can neither export nor delete", async () => {
  const before = await product.database.sql`select count(*)::int from auth.users`;
  const answers = await Promise.all([guest.rpc("export_my_data"), guest.rpc("delete_my_account")]);
  expect(answers.map(({ error }) => error?.code)).toEqual(["42501", "42501"]);
  expect(await product.database.sql`select count(*)::int from auth.users`).toEqual(before);
});

test("export and deletion take no account as an argument", async () => {
  const answers = await Promise.all([
    bob.client.rpc("export_my_data", { user_id: alice.id }),
    bob.client.rpc("delete_my_account", { user_id: alice.id }),
  ]);
  expect(answers.map(({ error }) => error?.code)).toEqual(["PGRST202", "PGRST202"]);
});

/** All tables, including those of auth, that have a row mentioning one of these words. */
async function tablesThatMention(...words: string[]): Promise<string[]> {
  const { sql } = product.database;
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and nspname !~ '^(pg_|information_schema|supabase_migrations)' order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select from ${name} as mention where mention::text ~* $1 limit 1`, [
      words.join("|"),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test("T10 FIND-07 a deleted account is removed from every table, with its sessions, and Bob keeps all his data", async () => {
  const dora = await signUp(product, "dora");
  await giveThings(dora);
  const elsewhere = product.createClient();
  await elsewhere.auth.signInWithPassword({ email: dora.email, password: "dora-password" });
  await elsewhere.auth.refreshSession();
  // Hosted GoTrue writes this log; the embedded auth service does not.
  const { sql } = product.database;
  await sql`insert into auth.audit_log_entries (payload) values (${sql.json({ actor_id: dora.id })})`;
  // The sign-up answers before its mail is sent.
  await expect
    .poll(() => tablesThatMention(dora.id, dora.email))
    .toEqual([
      "auth.audit_log_entries",
      "auth.identities",
      "auth.refresh_tokens",
      "auth.sessions",
      "auth.users",
      "private.known_addresses",
      "private.known_browsers",
      "private.mailed_links",
      "private.security_events",
      "public.chats",
      "public.find_settings",
      "public.listings",
      "public.mail_addresses",
      "public.marks",
      "public.own_places",
      "public.profiles",
      "public.received_mails",
      "public.searches",
      "watch.alerts",
      "watch.chat_questions",
      "watch.link_tokens",
      "watch.mail_renewals",
    ]);
  const bobsTables = await tablesThatMention(bob.id);

  const { error } = await dora.client.rpc("delete_my_account", { current_password: "dora-password" });
  expect(error).toBeNull();

  // The address remains until the last mail is sent.
  await expect.poll(() => tablesThatMention(dora.id, dora.email)).toEqual([]);
  expect(await tablesThatMention(bob.id)).toEqual(bobsTables);
  expect((await elsewhere.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect((await elsewhere.from("filter_settings").select("*")).error).not.toBeNull();
  const signIn = await guest.auth.signInWithPassword({ email: dora.email, password: "dora-password" });
  expect(signIn.error?.code).toBe("invalid_credentials");
  const again = await guest.auth.signUp({ email: dora.email, password: "dora-password" });
  expect(again.data.user?.id).not.toBe(dora.id);
});

test("A13 the token of an ended session cannot delete an account", async () => {
  const erin = await signUp(product, "erin");
  const { sql } = product.database;
  await sql`delete from auth.sessions where user_id = ${erin.id}`;
  const { error } = await erin.client.rpc("delete_my_account", { current_password: "erin-password" });
  expect(error).not.toBeNull();
  expect(await sql`select id from auth.users where id = ${erin.id}`).toHaveLength(1);
});

test("the function itself refuses an ended session and a guest", async () => {
  const { sql } = product.database;
  const claims = { sub: alice.id, role: "authenticated", session_id: crypto.randomUUID() };
  for (const said of [claims, { role: "authenticated" }, { ...claims, session_id: undefined }]) {
    const attempt = sql.begin(async (tx) => {
      await tx`select set_config('request.jwt.claims', ${JSON.stringify(said)}, true), set_config('role', 'authenticated', true)`;
      await tx`select public.delete_my_account()`;
    });
    await expect(attempt).rejects.toThrow(
      "session_id" in said ? "The session of this JWT has ended" : "Only a signed-in person can do this",
    );
  }
});
