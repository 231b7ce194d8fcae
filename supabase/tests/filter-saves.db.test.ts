import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectByLink } from "#telegram/bot/rows/consent.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
/** Two devices of Alice, each with its own session. */
let phone: Person["client"];
let laptop: Person["client"];

const MADRID = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";
const GETAFE = "https://www.idealista.com/alquiler-viviendas/getafe-madrid/";
const SORIA = "https://www.idealista.com/alquiler-viviendas/soria-soria/";

interface Filter {
  url: string;
  ids: string[];
}

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
  phone = alice.client;
  laptop = product.createClient();
  const { error } = await laptop.auth.signInWithPassword({ email: alice.email, password: "alice-password" });
  expect(error).toBeNull();
});

afterAll(() => product.stop());

const BEGUN: Filter = { url: MADRID, ids: ["1", "2"] };

beforeEach(async () => {
  await product.database.sql`truncate public.searches, public.chats cascade`;
  expect((await save(phone, BEGUN, null)).error).toBeNull();
});

/** Saves like the page: with the new values and those it showed before the change. */
const save = (client: Person["client"], { url, ids }: Filter, base: Filter | null, seen: string[] = []) =>
  client
    .from("filter_settings")
    .upsert(
      {
        user_id: alice.id,
        filter_url: url,
        receiver_ids: ids,
        based_on: base ? { filter_url: base.url, receiver_ids: base.ids } : { receiver_ids: seen },
      },
      { onConflict: "user_id" },
    )
    .select("filter_url, receiver_ids, based_on")
    .single();

const stored = async () => {
  const rows = await product.database.sql`
    select filter_url as url, receiver_ids as ids, based_on from public.filter_settings`;
  return rows.map(({ url, ids, based_on }) => ({ url, ids, based_on }));
};

const connect = (chatId: string) => product.database.sql`
  update public.filter_settings set receiver_ids = array_append(receiver_ids, ${chatId}) where user_id = ${alice.id}`;

test("DOOR-17 a chat that connected after the form was opened survives the save", async () => {
  await connect("7");
  const { data } = await save(laptop, { url: GETAFE, ids: ["1", "2"] }, BEGUN);
  expect(data).toEqual({ filter_url: GETAFE, receiver_ids: ["1", "2", "7"], based_on: null });
  expect(await stored()).toEqual([{ url: GETAFE, ids: ["1", "2", "7"], based_on: null }]);
});

test("DOOR-17 a changed search on one device and changed chats on another are both kept", async () => {
  expect((await save(phone, { url: SORIA, ids: ["1", "2"] }, BEGUN)).error).toBeNull();
  expect((await save(laptop, { url: MADRID, ids: ["2", "5"] }, BEGUN)).error).toBeNull();
  expect(await stored()).toMatchObject([{ url: SORIA, ids: ["2", "5"] }]);
});

test("DOOR-17 chats removed on one device and added on another are merged", async () => {
  expect((await save(phone, { url: MADRID, ids: ["2"] }, BEGUN)).error).toBeNull();
  expect((await save(laptop, { url: MADRID, ids: ["1", "2", "9"] }, BEGUN)).error).toBeNull();
  expect(await stored()).toMatchObject([{ ids: ["2", "9"] }]);
});

test("DOOR-17 if two devices change the search differently, the second save is refused and nothing is lost", async () => {
  expect((await save(phone, { url: SORIA, ids: ["1", "2", "3"] }, BEGUN)).error).toBeNull();
  const refused = await save(laptop, { url: GETAFE, ids: ["1", "2"] }, BEGUN);
  expect([refused.status, refused.error]).toEqual([
    409,
    expect.objectContaining({ code: "PT409", details: "changed-elsewhere" }),
  ]);
  expect(await stored()).toMatchObject([{ url: SORIA, ids: ["1", "2", "3"] }]);
  // The same change is not a conflict.
  expect((await save(laptop, { url: SORIA, ids: ["1", "2"] }, BEGUN)).error).toBeNull();
  expect(await stored()).toMatchObject([{ url: SORIA, ids: ["1", "2", "3"] }]);
});

test("DOOR-17 concurrent saves each keep what they add", async () => {
  const added = ["11", "12", "13", "14", "15", "16", "17"];
  const answers = await Promise.all([
    ...added.map((id, at) => save(at % 2 ? phone : laptop, { url: MADRID, ids: ["1", "2", id] }, BEGUN)),
    connect("8"),
  ]);
  expect(answers.flatMap((answer) => ("error" in answer && answer.error) || [])).toEqual([]);
  const [row] = await stored();
  expect(row?.ids.toSorted()).toEqual(["1", "2", "8", ...added].toSorted());
});

test("DOOR-17 of two concurrent first saves, different searches conflict and equal ones merge their chats", async () => {
  await product.database.sql`truncate public.searches cascade`;
  const differing = await Promise.all([
    save(phone, { url: SORIA, ids: ["3"] }, null),
    save(laptop, { url: GETAFE, ids: ["4"] }, null),
  ]);
  expect(differing.map(({ error }) => error?.details ?? null).toSorted()).toEqual([
    "changed-elsewhere",
    null,
  ]);
  await product.database.sql`truncate public.searches cascade`;
  await Promise.all([
    save(phone, { url: SORIA, ids: ["3"] }, null),
    save(laptop, { url: SORIA, ids: ["4"] }, null),
  ]);
  const [row] = await stored();
  expect(row?.ids.toSorted()).toEqual(["3", "4"]);
});

async function connectByTelegram(chatId: string) {
  const { data } = await phone.rpc("create_telegram_link");
  const chat = { chatId, kind: "private", title: "Ana" } as const;
  return connectByLink(product.database.sql, { token: data.token, ...chat });
}

test("DOOR-17 a chat that connected before the first save is kept, unless the person removed it", async () => {
  await product.database.sql`truncate public.searches, public.chats cascade`;
  await connectByTelegram("71");
  await connectByTelegram("72");
  expect((await save(laptop, { url: MADRID, ids: ["5"] }, null, ["72"])).error).toBeNull();
  expect(await stored()).toMatchObject([{ ids: ["5", "71"] }]);
  const chats = await product.database.sql`select chat_id::text as id, state from public.chats order by 1`;
  expect([...chats]).toEqual([
    { id: "5", state: "waiting" },
    { id: "71", state: "connected" },
  ]);
});

test("DOOR-17 a chat that connects during the first save is in both lists", async () => {
  for (let round = 0; round < 10; round += 1) {
    await product.database.sql`truncate public.searches, public.chats cascade`;
    const chatId = `8${round}`;
    const [saved, connected] = await Promise.all([
      save(laptop, { url: MADRID, ids: ["5"] }, null),
      connectByTelegram(chatId),
    ]);
    expect([saved.error, connected.is]).toEqual([null, "connected"]);
    expect(await stored()).toMatchObject([{ ids: ["5", chatId] }]);
  }
});

test("DOOR-17 a merge that gives more than ten chats or none is refused as a whole", async () => {
  const ten = [...BEGUN.ids, "21", "22", "23", "24", "25", "26", "27", "28"];
  expect((await save(phone, { url: MADRID, ids: ten }, BEGUN)).error).toBeNull();
  const eleventh = await save(laptop, { url: MADRID, ids: ["1", "2", "30"] }, BEGUN);
  expect([eleventh.status, eleventh.error?.details]).toEqual([409, "too-many-chats"]);
  expect(await stored()).toMatchObject([{ ids: ten }]);

  expect((await save(phone, { url: MADRID, ids: ["1"] }, { url: MADRID, ids: ten })).error).toBeNull();
  const none = await save(laptop, { url: MADRID, ids: ["2"] }, BEGUN);
  expect([none.status, none.error?.details]).toEqual([409, "no-chat-left"]);
  expect(await stored()).toMatchObject([{ ids: ["1"] }]);
});

test("DOOR-17 a filter deleted in the meantime is not restored by a save", async () => {
  await phone.from("filter_settings").delete().eq("user_id", alice.id);
  const refused = await save(laptop, { url: MADRID, ids: ["1", "2", "5"] }, BEGUN);
  expect([refused.status, refused.error?.details]).toEqual([409, "deleted-elsewhere"]);
  expect(await stored()).toEqual([]);
  expect((await save(laptop, { url: MADRID, ids: ["5"] }, null)).error).toBeNull();
  expect(await stored()).toEqual([{ url: MADRID, ids: ["5"], based_on: null }]);
});

test("DOOR-17 a PATCH merges like a save", async () => {
  await connect("7");
  const { error } = await laptop
    .from("filter_settings")
    .update({ receiver_ids: ["2"], based_on: { filter_url: MADRID, receiver_ids: ["1", "2"] } })
    .eq("user_id", alice.id);
  expect(error).toBeNull();
  expect(await stored()).toEqual([{ url: MADRID, ids: ["2", "7"], based_on: null }]);
});

test("DATA-01 an upsert of three columns overwrites", async () => {
  await connect("7");
  const { error } = await laptop
    .from("filter_settings")
    .upsert({ user_id: alice.id, filter_url: GETAFE, receiver_ids: ["5"] }, { onConflict: "user_id" });
  expect(error).toBeNull();
  expect(await stored()).toEqual([{ url: GETAFE, ids: ["5"], based_on: null }]);
});

test.each([
  [[]],
  ["text"],
  [7],
  [{ filter_url: 1, receiver_ids: [] }],
  [{ filter_url: MADRID, receiver_ids: "1" }],
])("a save based on %j is refused with a message", async (based_on) => {
  const { status, error } = await laptop
    .from("filter_settings")
    .upsert(
      { user_id: alice.id, filter_url: GETAFE, receiver_ids: ["5"], based_on },
      { onConflict: "user_id" },
    );
  expect([status, error?.details]).toEqual([400, "based_on_is_malformed"]);
  expect(await stored()).toMatchObject([BEGUN]);
});

test("an invalid list of chats is refused as without a merge", async () => {
  for (const receiver_ids of [[], [null], ["1", null], ["x"], ["1", "1"]]) {
    const { status, error } = await laptop.from("filter_settings").upsert(
      {
        user_id: alice.id,
        filter_url: MADRID,
        receiver_ids,
        based_on: { filter_url: MADRID, receiver_ids: ["1"] },
      },
      { onConflict: "user_id" },
    );
    expect([status, error?.code], JSON.stringify(receiver_ids)).toEqual([400, "23514"]);
  }
  expect(await stored()).toMatchObject([BEGUN]);
});

test("DATA-02 Bob learns nothing about Alice's filter from the base of a save", async () => {
  const attempts = [
    {},
    { filter_url: MADRID, receiver_ids: ["1", "2"] },
    { filter_url: SORIA, receiver_ids: [] },
  ];
  const attempt = async () => {
    const codes: unknown[] = [];
    for (const based_on of attempts) {
      const row = { user_id: alice.id, filter_url: GETAFE, receiver_ids: ["666"], based_on };
      const { error } = await bob.client.from("filter_settings").upsert(row, { onConflict: "user_id" });
      codes.push([error?.code, error?.details]);
    }
    return codes;
  };
  const withRow = await attempt();
  expect(await stored()).toMatchObject([BEGUN]);
  await product.database.sql`truncate public.searches cascade`;
  expect(await attempt()).toEqual(withRow);
  expect(await stored()).toEqual([]);
});

test("the export does not contain what a save was based on", async () => {
  const { data } = await phone.rpc("export_my_data");
  expect(Object.keys(data.searches[0])).toContain("receiver_ids");
  expect(JSON.stringify(data)).not.toContain("based_on");
});
