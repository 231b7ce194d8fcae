import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let bob: Person;
let bobsChannel: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
  bob = await signUp(product, "bob");
  bobsChannel = await listen(bob.client);
});

afterAll(() => product.stop());

/** Opens a channel like the filter page. */
async function listen(client: SupabaseClient) {
  const statuses: string[] = [];
  await client.realtime.setAuth();
  await new Promise<void>((resolve) => {
    client
      .channel(`filter-${crypto.randomUUID()}`)
      .on("postgres_changes", { event: "*", schema: "public", table: "searches" }, () => {})
      .subscribe((status) => {
        statuses.push(status);
        if (status === "SUBSCRIBED") resolve();
      });
  });
  return statuses;
}

async function alsoSignedIn({ email }: Person, password: string): Promise<SupabaseClient> {
  const client = product.createClient();
  const { error } = await client.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return client;
}

const closed = (statuses: string[]) => expect.poll(() => statuses.at(-1)).toBe("CLOSED");

test("DOOR-08 a changed password closes the channels of every other session at once, and not its own", async () => {
  const alice = await signUp(product, "alice");
  const mine = await listen(alice.client);
  const others = await Promise.all(
    [await alsoSignedIn(alice, "alice-password"), await alsoSignedIn(alice, "alice-password")].map(listen),
  );
  const change = { password: "violet-harbour-27", current_password: "alice-password" };
  expect((await alice.client.auth.updateUser(change)).error).toBeNull();
  for (const statuses of others) await closed(statuses);
  expect(mine).toEqual(["SUBSCRIBED"]);
});

test("DOOR-08 signing out everywhere closes the channels of every session", async () => {
  const carol = await signUp(product, "carol");
  const elsewhere = await alsoSignedIn(carol, "carol-password");
  const theirs = await listen(elsewhere);
  await carol.client.auth.signOut({ scope: "global" });
  await closed(theirs);
  expect(bobsChannel).toEqual(["SUBSCRIBED"]);
});

test("DOOR-08 signing out the others closes their channels and keeps the own ones", async () => {
  const dora = await signUp(product, "dora");
  const mine = await listen(dora.client);
  const theirs = await listen(await alsoSignedIn(dora, "dora-password"));
  await dora.client.auth.signOut({ scope: "others" });
  await closed(theirs);
  expect(mine).toEqual(["SUBSCRIBED"]);
});

test("DOOR-09 ending one session closes its channels and no others", async () => {
  const erin = await signUp(product, "erin");
  const [phone, laptop] = [
    await alsoSignedIn(erin, "erin-password"),
    await alsoSignedIn(erin, "erin-password"),
  ];
  const [onPhone, onLaptop] = [await listen(phone), await listen(laptop)];
  const { data } = await phone.rpc("my_sessions");
  const session = (data as { id: string; is_current: boolean }[]).find(({ is_current }) => is_current);
  expect((await erin.client.rpc("end_my_session", { session_id: session?.id })).data).toBe(true);
  await closed(onPhone);
  expect(onLaptop).toEqual(["SUBSCRIBED"]);
});

test("DOOR-08 a session ended by another process, or by deleting its account, closes its channels here", async () => {
  const frank = await signUp(product, "frank");
  const first = await listen(frank.client);
  await product.database.sql`delete from auth.sessions where user_id = ${frank.id}`;
  await closed(first);
  const again = await alsoSignedIn(frank, "frank-password");
  const second = await listen(again);
  await product.database.sql`delete from auth.users where id = ${frank.id}`;
  await closed(second);
  expect(bobsChannel).toEqual(["SUBSCRIBED"]);
});

test("DOOR-08 a join in progress when its session ends does not stay open", async () => {
  const gina = await signUp(product, "gina");
  const clients = await Promise.all(Array.from({ length: 8 }, () => alsoSignedIn(gina, "gina-password")));
  const statuses = clients.map(() => [] as string[]);
  await Promise.all(clients.map((client) => client.realtime.setAuth()));
  for (const [index, client] of clients.entries()) {
    client
      .channel(`filter-${index}`)
      .on("postgres_changes", { event: "*", schema: "public", table: "searches" }, () => {})
      .subscribe((status) => statuses[index]?.push(status));
  }
  await product.database.sql`delete from auth.sessions where user_id = ${gina.id}`;
  // Refused or closed: no channel is left open.
  await expect
    .poll(
      () => statuses.map((said) => said.at(-1)).filter((last) => last === undefined || last === "SUBSCRIBED"),
      {
        timeout: 60_000,
      },
    )
    .toEqual([]);
});
