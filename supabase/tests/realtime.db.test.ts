import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { insertion, type Relation, readRelations } from "./access-probe.ts";
import { rowFor } from "./access-rows.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: SupabaseClient;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

type Event = { eventType: string; table: string; new: object; old: object };

/** Subscribes to everything in a table that the server allows this client. */
async function follow(client: SupabaseClient, table: string, filter?: string): Promise<Event[]> {
  const events: Event[] = [];
  await client.realtime.setAuth();
  await new Promise((resolve) => {
    client
      .channel(`${table}-${crypto.randomUUID()}`)
      .on(
        "postgres_changes",
        { event: "*", schema: "public", table, ...(filter ? { filter } : {}) },
        (payload) => events.push(payload as unknown as Event),
      )
      .subscribe(resolve);
  });
  return events;
}

/** Statements that insert, update and delete a row of this person. */
function changesOf({ name, owner, columns, keys }: Relation, { id }: Person): [event: string, sql: string][] {
  const where = owner ? `where ${owner} = '${id}'` : "";
  const column =
    columns.find((one) => one !== owner && !keys.flat().includes(one) && one !== "is_first") ?? "";
  const changed = JSON.stringify(rowFor(name, { id, number: 2, mark: "changed" }));
  const value = `(jsonb_populate_record(null::public.${name}, '${changed}')).${column}`;
  return [
    ["INSERT", insertion(name, rowFor(name, { id, number: 1, mark: "first" }))],
    ["UPDATE", `update public.${name} set ${column} = ${value} ${where}`],
    ["DELETE", `delete from public.${name} ${where}`],
  ];
}

/** One at a time: a row that is deleted before it is read again is not sent. */
async function changeRow(relation: Relation, person: Person, heard: Event[]): Promise<void> {
  for (const [event, statement] of changesOf(relation, person)) {
    await product.database.sql.unsafe(statement);
    await expect.poll(() => heard.at(-1)?.eventType).toBe(event);
  }
}

test("DATA-02 DATA-04 changes in a published table are sent to the row's owner and to nobody else", async () => {
  const relations = await readRelations(product);
  const published = await product.database.sql<{ name: string }[]>`
    select tablename as name from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public'`;
  expect(published.length).toBeGreaterThan(0);
  for (const relation of relations.filter(({ name }) => published.some((one) => one.name === name))) {
    const { name, owner } = relation;
    // A table without owners would need its own case here.
    expect([name, owner]).not.toEqual([name, undefined]);
    const [hers, his, hisForHers, guests, guestsForHers] = await Promise.all([
      follow(alice.client, name),
      follow(bob.client, name),
      follow(bob.client, name, `${owner}=eq.${alice.id}`),
      follow(guest, name),
      follow(guest, name, `${owner}=eq.${alice.id}`),
    ]);
    await changeRow(relation, alice, hers);
    await changeRow(relation, bob, his);
    // Bob's changes came after Alice's, so all of hers have arrived by now.
    const names = (id: string) => (event: Event) => JSON.stringify(event).includes(id);
    expect([name, his.filter(names(alice.id)), hers.filter(names(bob.id))]).toEqual([name, [], []]);
    expect([name, hisForHers, guests, guestsForHers]).toEqual([name, [], [], []]);
  }
});

test("DATA-02 changes in unpublished tables are not sent to anybody", async () => {
  const relations = await readRelations(product);
  const quiet = await product.database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    except select tablename from pg_publication_tables where pubname = 'supabase_realtime'`;
  const events = await Promise.all(quiet.map(({ name }) => follow(alice.client, name)));
  const heard = await follow(alice.client, "listings");
  for (const relation of relations.filter(({ name }) => quiet.some((one) => one.name === name))) {
    await product.database.sql.unsafe(
      `delete from public.${relation.name}${relation.owner ? ` where ${relation.owner} = '${alice.id}'` : ""}`,
    );
    // No trigger runs: a row need not refer to another.
    for (const [, statement] of changesOf(relation, alice))
      await product.database.sql
        .unsafe(`set local session_replication_role = replica; ${statement}`)
        .simple();
  }
  await changeRow(relations.find(({ name }) => name === "listings") as Relation, alice, heard);
  expect(events.flat()).toEqual([]);
});

test("stopping the product does not wait for subscribers", async () => {
  const other = await startTestProduct();
  const client = other.createClient();
  const states: string[] = [];
  client
    .channel("open")
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "listings" }, () => {})
    .subscribe((state) => states.push(state));
  await expect.poll(() => states).toContain("SUBSCRIBED");
  await other.stop();
  expect(await fetch(`${other.url}/livez`).catch(() => "gone")).toBe("gone");
});
