import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
});

afterAll(() => product.stop());

const tables = () => product.database.sql<{ name: string; has_rls: boolean; comment: string | null }[]>`
  select relname as name, relrowsecurity as has_rls, obj_description(oid, 'pg_class') as comment
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`;

test("every public table has row-level security and a comment", async () => {
  const found = await tables();
  expect(found.length).toBeGreaterThan(0);
  for (const { name, has_rls, comment } of found) {
    expect({ name, has_rls }).toEqual({ name, has_rls: true });
    expect(comment, `comment on ${name}`).toBeTruthy();
  }
});

test("every public table has a policy, and each policy is a sentence for one verb and one role", async () => {
  const policies = await product.database.sql<
    { table: string; name: string; verb: string; roles: string[] }[]
  >`
    select tablename as table, policyname as name, cmd as verb, roles::text[] as roles
    from pg_policies where schemaname = 'public'`;
  for (const { name } of await tables()) expect(policies.map((policy) => policy.table)).toContain(name);
  for (const { name, verb, roles } of policies) {
    expect(name).toMatch(/^[A-Z][a-z]+ .* /);
    expect(verb).not.toBe("ALL");
    expect(roles).toHaveLength(1);
    expect(["anon", "authenticated"]).toContain(roles[0]);
  }
});

test("T05 every view uses its caller's rights", async () => {
  const views = await product.database.sql<{ name: string; options: string[] | null }[]>`
    select relname as name, reloptions as options from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`;
  for (const { name, options } of views)
    expect({ name, options }).toMatchObject({ options: expect.arrayContaining(["security_invoker=true"]) });
});

/** All schemas except PostgreSQL's own. */
const OURS = "nspname !~ '^(pg_|information_schema)'";

test("T07 no security definer function takes its search path from the caller", async () => {
  const functions = await product.database.sql.unsafe(`
    select nspname, proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where prosecdef and ${OURS} and not coalesce('search_path=""' = any (proconfig), false)`);
  expect(functions).toEqual([]);
});

test("people may call only those functions of closed schemas that read their own data, and guests only the auth helpers", async () => {
  // Trigger functions cannot be called directly.
  const callable = await product.database.sql.unsafe<{ line: string }[]>(`
    select format('%s %s.%s', role, nspname, proname) as line
    from unnest(array['anon', 'authenticated']) as role, pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname <> 'public' and ${OURS} and prorettype <> 'trigger'::regtype
      and has_schema_privilege(role, pg_namespace.oid, 'usage') and has_function_privilege(role, pg_proc.oid, 'execute')
    order by 1`);
  const auth = ["email", "jwt", "role", "uid"].map((name) => `auth.${name}`);
  // lock_person is called by a save's trigger, which runs with the saver's rights, lock_session and require_session by the data API.
  const own = [
    "lock_person",
    "lock_session",
    "my_account",
    "my_alerts",
    "my_events",
    "my_marks",
    "my_other_rows",
    "note_my_export",
    "require_session",
  ].map((name) => `private.${name}`);
  expect(callable.map(({ line }) => line)).toEqual([
    ...auth.map((name) => `anon ${name}`),
    ...[...auth, ...own].map((name) => `authenticated ${name}`),
  ]);
});

test("each function that people may call has a comment", async () => {
  const functions = await product.database.sql<{ name: string; comment: string | null }[]>`
    select proname as name, obj_description(oid, 'pg_proc') as comment
    from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(functions.length).toBeGreaterThan(0);
  for (const { name, comment } of functions) expect(comment, `comment on ${name}`).toBeTruthy();
});

/** A used launch keeps its hash, without the person, until it is too old to be used. */
const KEPT_WITHOUT_PERSON = "private.telegram_launches.user_id";

test("every column that references an account is deleted with the account", async () => {
  const { sql } = product.database;
  const columns = await sql<{ name: string }[]>`
    select format('%s.%s', attrelid::regclass, attname) as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace::regnamespace::text !~ '^(pg_|auth|storage|information_schema|supabase_)' and relkind in ('r', 'p')
      and (attname = 'user_id' or attrelid = 'public.profiles'::regclass and attname = 'id') order by 1`;
  const ending = await sql<{ name: string; action: string }[]>`
    select format('%s.%s', conrelid::regclass, attname) as name, confdeltype as action
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'auth.users'::regclass order by 1`;
  expect(columns.length).toBeGreaterThan(2);
  const CASCADE = "c";
  const SET_NULL = "n";
  for (const { name } of columns) {
    const action = name === KEPT_WITHOUT_PERSON ? SET_NULL : CASCADE;
    expect(ending).toContainEqual({ name, action });
  }
});

test("starting the server grants nobody more than the migrations do, and nothing outside the served schema", async () => {
  const person = await signUp(product, "carol");
  await person.client.from("profiles").select("*");
  const grants = await product.database.sql<{ line: string }[]>`
    select format('%s %s %s.%s', grantee, privilege_type, table_schema, table_name) as line
    from information_schema.role_table_grants
    where grantee in ('anon', 'authenticated', 'PUBLIC') and table_schema not in ('pg_catalog', 'information_schema')
      and (privilege_type <> 'SELECT' or table_schema <> 'public')
    order by 1`;
  expect(grants).toEqual([
    { line: "authenticated DELETE public.filter_settings" },
    { line: "authenticated DELETE public.find_settings" },
    { line: "authenticated DELETE public.own_places" },
    { line: "authenticated DELETE public.searches" },
  ]);
});

test("request roles can use the schemas they need and create nothing in any", async () => {
  const open = await product.database.sql.unsafe<{ line: string }[]>(`
    select format('%s %s %s', role, privilege, nspname) as line
    from pg_namespace, unnest(array['anon', 'authenticated']) as role, unnest(array['usage', 'create']) as privilege
    where ${OURS} and has_schema_privilege(role, nspname, privilege) order by 1`);
  expect(open.map(({ line }) => line)).toEqual([
    "anon usage auth",
    "anon usage public",
    "authenticated usage auth",
    "authenticated usage private",
    "authenticated usage public",
  ]);
});

test("T08 an error in one person's request leaves nothing of theirs on the connection", async () => {
  const person = await signUp(product, "erin");
  await Promise.all(
    Array.from({ length: 40 }, () =>
      person.client.from("filter_settings").insert({ user_id: person.id, filter_url: "x", receiver_ids: [] }),
    ),
  );
  const guest = product.createClient();
  const answers = await Promise.all(Array.from({ length: 40 }, () => guest.from("profiles").select("*")));
  expect(new Set(answers.map(({ error }) => error?.code))).toEqual(new Set(["42501"]));
});
