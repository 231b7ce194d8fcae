import { expect } from "vitest";
import { type Person, signUp } from "../cast.ts";
import { startTestProduct, type TestProduct } from "../test-product.ts";

export type Question = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

export type RestAsker = {
  product: TestProduct;
  alice: Person;
  tables: string[];
  /** Without the function that would delete the asking account. */
  functions: string[];
  columns: { table: string; name: string; type: string }[];
  ask: (question: Question, isGuest?: boolean) => Promise<{ status: number; text: string }>;
  /** Asks as a guest and as a user. Expects no server error and no text of the driver. */
  expectOurWords: (question: Question) => Promise<void>;
};

const DRIVERS_WORDS =
  /PostgresError|TypeError|RangeError|SyntaxError|"SUP"|node_modules|postgres\.js|\bat \w+ \(|undefined|\[object/;

/** A product with all relations of the data API, and a user with a search who sends odd requests. */
export async function startRestAsker(): Promise<RestAsker> {
  const product = await startTestProduct();
  const alice = await signUp(product, "alice");
  const bearer = `Bearer ${(await alice.client.auth.getSession()).data.session?.access_token}`;
  const { error } = await alice.client.from("filter_settings").insert({
    user_id: alice.id,
    filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    receiver_ids: ["123456"],
  });
  expect(error).toBeNull();

  const ask: RestAsker["ask"] = async ({ path, method = "GET", headers, body }, isGuest = false) => {
    const answer = await fetch(`${product.url}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: product.publishableKey,
        "content-type": "application/json",
        ...(isGuest ? {} : { authorization: bearer }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  const expectOurWords: RestAsker["expectOurWords"] = async (question) => {
    for (const isGuest of [false, true]) {
      const { status, text } = await ask(question, isGuest);
      const shown = JSON.stringify({ ...question, isGuest, status, text: text.slice(0, 300) });
      expect(status, shown).toBeLessThan(500);
      expect(text, shown).not.toMatch(DRIVERS_WORDS);
      if (status >= 400 && question.method !== "HEAD")
        expect(JSON.parse(text), shown).toHaveProperty("message");
    }
  };
  return { product, alice, ask, expectOurWords, ...(await readCatalogue(product)) };
}

async function readCatalogue({ database: { sql } }: TestProduct) {
  const relations = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')`;
  const routines = await sql<{ name: string }[]>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and proname <> 'delete_my_account'`;
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select table_name as table, column_name as name, udt_name as type from information_schema.columns where table_schema = 'public'`;
  expect(relations.length).toBeGreaterThan(3);
  expect(routines.length).toBeGreaterThan(1);
  return { tables: relations.map(({ name }) => name), functions: routines.map(({ name }) => name), columns };
}

/** Expects that names such as __proto__ did not change shared prototypes. */
export function expectCleanObjects() {
  expect(Object.keys(Object.prototype)).toEqual([]);
  const inborn: Record<string, unknown> = {};
  for (const name of ["$eq", "$neq", "$is", "polluted", "select"]) expect(inborn[name], name).toBeUndefined();
  expect([Object.keys(Object), Object.keys(inborn.toString as object)]).toEqual([[], []]);
}
