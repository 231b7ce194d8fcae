// What the access table says, tried over HTTP on the whole product. What there is to try comes from the catalogue, so that nothing
// new can be forgotten.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUp, signUpCast } from "#test/cast.ts";
import { forgeFrom } from "#test/forged-tokens.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { attacksOn, closedDoors, everyVerbOn } from "./access-attacks.ts";
import {
  type Actor,
  type Answer,
  type Asker,
  createAsker,
  type IsRight,
  insertion,
  putRows,
  type Question,
  type Relation,
  type Row,
  readFunctions,
  readRelations,
  tokenOf,
  tracesOf,
  wrongAnswers,
} from "./access-probe.ts";
import { ARGUMENTS, rowFor } from "./access-rows.ts";
import { FUNCTIONS, insertable, lineOf, linesIn, namesIn, RELATIONS } from "./access-table.ts";

// Many hundred requests, on a machine that may be busy.
const TIMEOUT_MS = 600_000;
const SECRET = "a-secret-that-only-this-test-and-its-server-know";

let product: TestProduct;
let asker: Asker;
let alice: Person;
let bob: Person;
let relations: Relation[];
let rows: Record<string, Row[]>;

beforeAll(async () => {
  product = await startTestProduct({ JWT_SECRET: SECRET });
  asker = createAsker(product);
  ({ alice, bob } = await signUpCast(product));
  relations = await readRelations(product);
  rows = Object.fromEntries(
    relations
      .filter(({ isTable }) => isTable)
      .map(({ name, owner }) => [
        name,
        [
          rowFor(name, { id: alice.id, number: 1, mark: owner ? "alices-own" : "everyones" }),
          rowFor(name, { id: bob.id, number: 2, mark: "bobs-own" }),
        ],
      ]),
  );
  await putRows(product, rows);
});

afterAll(() => product.stop());

test("DATA-02 every relation, column and function that is served stands in the access table, and nothing else", async () => {
  const columns = relations.flatMap(({ name, columns }) => columns.map((column) => ({ name, column })));
  const served = relations.flatMap(({ name, columns }) => [
    name,
    ...columns.map((column) => `${name}.${column}`),
  ]);
  expect(served, "the catalogue against access-table.ts").toEqual(namesIn(RELATIONS));
  expect((await readFunctions(product)).map(({ signature }) => signature)).toEqual(namesIn(FUNCTIONS));
  const empty = columns.filter(({ name, column }) => rows[name]?.some((row) => row[column] == null));
  expect(empty, "columns that ROWS leaves empty").toEqual([]);
});

const asBob: Actor = (question) => asker.as(bob, question);
const actors = (): Actor[] => [asker.asGuest, (question) => asker.as(alice, question), asBob];

/** What Alice could lose: her rows, or every row where rows are nobody's. */
const stored = async ({ name, owner }: Relation) =>
  JSON.stringify(
    await product.database.sql.unsafe(
      `select t::text from public.${name} as t ${owner ? `where ${owner} = $1` : ""} order by 1`,
      owner ? [alice.id] : [],
    ),
  );

/** Empty for a refusal and for an answer that concerns no row; anything else is shown, and so fails. */
function nothing({ status, code, text }: Answer): string {
  // PostgreSQL refuses a value for a generated column before it looks at rights.
  const isRefused = (code === "42501" && (status === 401 || status === 403)) || code === "428C9";
  const isEmpty = status < 300 && (text === "" || text === "[]");
  return isRefused || isEmpty ? "" : `?${status}:${code}`;
}

/** The letter, where the question changes Alice's rows or, where it asks for no change, is answered with one. */
async function mayWrite(relation: Relation, present: Row[], question: Question, letter: string) {
  const own = { [relation.base]: present };
  await putRows(product, own);
  const put = { ...rows, ...own };
  const before = await stored(relation);
  const rights: string[] = [];
  for (const actor of actors()) {
    const answer = await actor(question);
    const isChanged = (await stored(relation)) !== before;
    if (isChanged) await putRows(product, put);
    const shown =
      answer.status < 300 ? await actor({ ...question, prefer: "return=representation" }) : answer;
    if (shown.status < 300) await putRows(product, put);
    rights.push(isChanged || shown.text.startsWith("[{") ? letter : nothing(answer) || nothing(shown));
  }
  await putRows(product, { [relation.base]: rows[relation.base] ?? [] });
  return rights;
}

async function mayRead(path: string): Promise<string[]> {
  const answers = await Promise.all(actors().map((actor) => actor({ method: "GET", path })));
  return answers.map((answer) =>
    answer.status === 200 && answer.text.startsWith("[{") ? "r" : nothing(answer),
  );
}

/** What guest, owner and other may do with one column, or with the row as a whole. */
async function rightsOn(relation: Relation, column?: string): Promise<string[]> {
  const { name, base, owner, columns } = relation;
  const hers = owner ? `${owner}=eq.${alice.id}` : `${columns[0]}=not.is.null`;
  const all = rows[base] ?? [];
  if (!column) return mayWrite(relation, all, { method: "DELETE", path: `${name}?${hers}` }, "d");
  const row = rowFor(name, { id: alice.id, number: 3, mark: "changed" });
  const change = { [column]: row[column] };
  const without = all.slice(owner ? 1 : 2);
  const body = { ...insertable(relation, row), ...change };
  const steps = [
    await mayRead(`${name}?select=${column}&${hers}`),
    await mayWrite(relation, without, { method: "POST", path: name, body }, "i"),
    await mayWrite(relation, all, { method: "PATCH", path: `${name}?${hers}`, body: change }, "u"),
  ];
  return actors().map((_, index) => steps.map((step) => step[index]).join(""));
}

test(
  "DATA-02 DATA-05 A37 guest, owner and other person may do with every column what the table says",
  async () => {
    const lines = [lineOf("", ["guest", "owner", "other"])];
    for (const relation of relations) {
      lines.push(lineOf(relation.name, await rightsOn(relation)));
      for (const column of relation.columns)
        lines.push(lineOf(`${relation.name}.${column}`, await rightsOn(relation, column)));
    }
    expect(lines).toEqual(linesIn(RELATIONS));
  },
  TIMEOUT_MS,
);

/** A function's answer to a caller who has nothing of the kind. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null ? Object.values(value).every(isEmpty) : !value;
}

/** A function ran where it answered, or refused by a rule of its own. */
async function methodsThatRun(actor: Actor, name: string, values: Row): Promise<string> {
  const query = new URLSearchParams(values as Record<string, string>);
  const ran: string[] = [];
  for (const method of ["GET", "HEAD", "POST"]) {
    const path = method === "POST" ? `rpc/${name}` : `rpc/${name}?${query}`;
    const { status, code } = await actor({ method, path, ...(method === "POST" ? { body: values } : {}) });
    if (status < 300 || code.startsWith("PT")) ran.push(method);
    else if (![400, 401, 403, 404, 405].includes(status)) ran.push(`?${status}:${code}`);
  }
  return ran.join(" ");
}

test(
  "DATA-02 guests run no function, people those of the table, and none of them on what is another's",
  async () => {
    await putRows(product, rows);
    const traces = await tracesOf(product, alice.id);
    const lines = [lineOf("", ["guest", "person"])];
    for (const { name, signature } of await readFunctions(product)) {
      const person = await signUp(product, `runs-${name.replaceAll("_", "-")}`);
      const asPerson: Actor = (question) => asker.as(person, question);
      const hers = (await ARGUMENTS[name]?.(alice)) ?? {};
      const attempts = [
        { ...hers, user_id: alice.id },
        { ...hers, id: alice.id },
        ...(signature.endsWith("()") ? [] : [hers]),
      ];
      const questions = attempts.map((body) => ({ method: "POST", path: `rpc/${name}`, body }));
      const isInVain = ({ status, text }: Answer) =>
        (status >= 400 && status < 500) || (status < 300 && isEmpty(JSON.parse(text)));
      expect(await wrongAnswers(questions, asPerson, isInVain)).toEqual([]);
      for (const table of ["chats", "listings"])
        await product.database.sql.unsafe(
          insertion(table, rowFor(table, { id: person.id, number: 1, mark: "mine" })),
        );
      const mine = (await ARGUMENTS[name]?.(person)) ?? {};
      lines.push(
        lineOf(signature, [
          await methodsThatRun(asker.asGuest, name, hers),
          await methodsThatRun(asPerson, name, mine),
        ]),
      );
    }
    expect(lines).toEqual(linesIn(FUNCTIONS));
    expect(await tracesOf(product, alice.id)).toEqual(traces);
  },
  TIMEOUT_MS,
);

const attackRow = (name: string) => rowFor(name, { id: alice.id, number: 1, mark: "attack" });
const attacks = (relation: Relation) => {
  const row = attackRow(relation.name);
  return attacksOn(relation, { hers: alice.id, mine: bob.id, row, writable: insertable(relation, row) });
};

test("DATA-02 whatever another person or a guest asks of a table, its owner loses nothing and they learn nothing", {
  tags: "long",
  timeout: TIMEOUT_MS,
}, async () => {
  for (const relation of relations) {
    await putRows(product, rows);
    const traces = await tracesOf(product, alice.id);
    const before = await stored(relation);
    const isRight: IsRight = async (answer, { method, headers }) => {
      const isCounted = relation.owner && method === "HEAD" && answer.status < 300;
      if (isCounted && answer.headers.get("content-range") !== "*/0") return false;
      // A plan shows estimates over everyone's rows.
      if (headers?.accept?.includes("plan") && answer.status < 300) return false;
      return answer.status < 500 && (method === "GET" || (await stored(relation)) === before);
    };
    for (const question of attacks(relation)) {
      expect(await wrongAnswers([question], asker.asGuest, isRight)).toEqual([]);
      expect(await wrongAnswers([question], asBob, isRight)).toEqual([]);
      if (question.method === "DELETE") await putRows(product, rows);
    }
    await putRows(product, rows);
    expect(await tracesOf(product, alice.id)).toEqual(traces);
  }
});

test("DATA-02 nothing in a schema that is not served is reached by any spelling, profile or embedding", {
  tags: "long",
  timeout: TIMEOUT_MS,
}, async () => {
  const served = relations.map(({ name }) => name);
  const doors = await closedDoors(product, served);
  const isShut = ({ status }: Answer) => [400, 401, 403, 404, 405, 406].includes(status);
  expect(await wrongAnswers(doors, asBob, isShut)).toEqual([]);
  expect(await wrongAnswers(doors, asker.asGuest, isShut)).toEqual([]);
});

test(
  "DATA-02 A10 a forged, foreign or stale token opens no table and no function by any verb",
  async () => {
    const ended = product.createClient();
    const signedIn = await ended.auth.signInWithPassword({ email: bob.email, password: "bob-password" });
    expect(signedIn.error).toBeNull();
    const stale = await tokenOf(ended);
    expect(await ended.auth.signOut({ scope: "local" })).toEqual({ error: null });
    const targets = [
      ...relations.map(({ name }) => everyVerbOn(name, attackRow(name))),
      ...(await readFunctions(product)).map(({ name }) => everyVerbOn(`rpc/${name}`, {})),
    ];
    // Every token is tried on every target and with every verb. A different verb for each target keeps it to one request.
    const questions = targets.flatMap((verbs, index) => verbs[index % verbs.length] ?? []);
    const traces = await tracesOf(product, alice.id);
    const forger = forgeFrom(await tokenOf(bob.client), SECRET, alice.id);
    // A path without a route is not found, with any token.
    const isRefused = ({ status, text }: Answer) =>
      status === 401 || (status === 404 && text.includes("PGRST125"));
    for (const [name, token] of forger.forgeries()) {
      const asForger = (question: Question) => asker.withToken(token, question);
      expect([name, ...(await wrongAnswers(questions, asForger, isRefused))]).toEqual([name]);
    }
    const asEnded = (question: Question) => asker.withToken(stale, question);
    expect(await wrongAnswers(targets.flat(), asEnded, isRefused)).toEqual([]);
    // In the place of the key no token counts, not even a good one.
    const good = await tokenOf(alice.client);
    for (const apikey of [good, forger.sign({ role: "service_role" }), "sb_secret_x"]) {
      const asKey = (question: Question) => asker.withHeaders({ apikey }, question);
      expect(await wrongAnswers(questions, asKey, isRefused)).toEqual([]);
    }
    expect(await tracesOf(product, alice.id)).toEqual(traces);
  },
  TIMEOUT_MS,
);
