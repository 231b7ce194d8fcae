import { existsSync } from "node:fs";
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

test("every public table has row-level security, a comment and an access test of its own", async () => {
  const found = await tables();
  expect(found.length).toBeGreaterThan(0);
  for (const { name, has_rls, comment } of found) {
    expect({ name, has_rls }).toEqual({ name, has_rls: true });
    expect(comment, `comment on ${name}`).toBeTruthy();
    const file = `supabase/tests/${name.replaceAll("_", "-")}.db.test.ts`;
    expect(existsSync(file), file).toBe(true);
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

test("T05 every view reads with its caller's rights", async () => {
  const views = await product.database.sql<{ name: string; options: string[] | null }[]>`
    select relname as name, reloptions as options from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`;
  for (const { name, options } of views)
    expect({ name, options }).toMatchObject({ options: ["security_invoker=true"] });
});

test("T07 no function that runs with its owner's rights takes its search path from the caller", async () => {
  const functions = await product.database.sql`
    select proname from pg_proc where prosecdef and pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not coalesce('search_path=""' = any (proconfig), false)`;
  expect(functions).toEqual([]);
});

test("of the closed schema's functions people may call those that read what is theirs, and guests none", async () => {
  const callable = await product.database.sql`
    select proname as name, role from pg_proc, unnest(array['anon', 'authenticated']) as role
    where pronamespace = 'private'::regnamespace and prorettype <> 'trigger'::regtype
      and has_function_privilege(role, pg_proc.oid, 'execute')
    order by proname`;
  expect(callable).toEqual(
    ["my_account", "my_alerts", "my_marks"].map((name) => ({ name, role: "authenticated" })),
  );
});

test("guests may call no function, and each that people may call has a comment", async () => {
  const functions = await product.database.sql<
    { name: string; comment: string | null; is_guests: boolean }[]
  >`
    select proname as name, obj_description(oid, 'pg_proc') as comment,
      has_function_privilege('anon', oid, 'execute') as is_guests
    from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(functions.length).toBeGreaterThan(0);
  for (const { name, comment, is_guests } of functions) {
    expect({ name, is_guests }).toEqual({ name, is_guests: false });
    expect(comment, `comment on ${name}`).toBeTruthy();
  }
});

test("every column of ours that names an account goes with the account", async () => {
  const { sql } = product.database;
  const columns = await sql<{ name: string }[]>`
    select format('%s.%s', attrelid::regclass, attname) as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace::regnamespace::text !~ '^(pg_|auth|storage|information_schema|supabase_)' and relkind in ('r', 'p')
      and (attname = 'user_id' or attrelid = 'public.profiles'::regclass and attname = 'id') order by 1`;
  const cascading = await sql<{ name: string }[]>`
    select format('%s.%s', conrelid::regclass, attname) as name
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'auth.users'::regclass and confdeltype = 'c' order by 1`;
  expect(columns.length).toBeGreaterThan(2);
  for (const { name } of columns) expect(cascading.map((column) => column.name)).toContain(name);
});

test("serving requests grants nobody more than the migrations did", async () => {
  const person = await signUp(product, "carol");
  await person.client.from("profiles").select("*");
  const grants = await product.database.sql`
    select grantee, table_name, privilege_type from information_schema.role_table_grants
    where table_schema = 'public' and grantee in ('anon', 'authenticated') and privilege_type <> 'SELECT'
    order by 1, 2, 3`;
  expect(grants).toEqual([
    { grantee: "authenticated", table_name: "filter_settings", privilege_type: "DELETE" },
  ]);
});

test("only the schema public is served", async () => {
  const person = await signUp(product, "dave");
  for (const schema of ["auth", "private", "watch", "realtime", "supabase_migrations", "pg_catalog"]) {
    const { data, error } = await person.client.schema(schema).from("users").select("*");
    expect(data).toBeNull();
    expect(error?.code).toBe("PGRST106");
  }
});

test("no request role may enter the schema that is ours alone", async () => {
  const open = await product.database.sql`
    select nspname, rolname from pg_namespace, pg_roles
    where nspname = 'watch' and rolname in ('anon', 'authenticated')
      and has_schema_privilege(rolname, nspname, 'usage')`;
  expect(open).toEqual([]);
});

test("T08 an error inside one person's request leaves nothing of theirs on the connection", async () => {
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
