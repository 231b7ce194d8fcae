import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findOwnDatabaseFaults } from "#server/start/start-faults.ts";
import { binariesIn, isOldestInstalled, OLDEST_PROGRAMS } from "#test/postgres/installed-postgres.ts";
import {
  databaseSettings,
  type MigratedPostgres,
  run,
  startMigratedPostgres,
} from "#test/postgres/migrated-postgres.ts";
import { startTestProduct } from "#test/test-product.ts";

const URL_OF_SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/centro/con-precio-hasta_1500/";

// The whole database project runs on another version with TEST_POSTGRES_PROGRAMS=/usr/lib/postgresql/15/bin.
describe.skipIf(!isOldestInstalled)(
  `RUN-01 the oldest supported PostgreSQL (skipped where ${OLDEST_PROGRAMS} is not installed)`,
  () => {
    let server: MigratedPostgres;
    beforeAll(async () => {
      server = await startMigratedPostgres({}, () => {}, await binariesIn(OLDEST_PROGRAMS));
    });
    afterAll(() => server?.stop());

    test("runs every migration, and the product's journeys from sign-up to deletion", async () => {
      const url = await server.createBare();
      await run(url, await readFile("supabase/prepare-database.sql", "utf8"));
      expect(await findOwnDatabaseFaults(url)).toEqual([]);
      const product = await startTestProduct(databaseSettings(url));
      try {
        const client = product.createClient();
        const password = "a-long-password";
        const { data, error: refused } = await client.auth.signUp({ email: "oldest@example.com", password });
        expect(refused).toBeNull();
        const search = {
          user_id: data.user?.id ?? "",
          filter_url: URL_OF_SEARCH,
          receiver_ids: ["7001234567"],
        };
        const saved = await client.from("filter_settings").insert(search);
        expect(saved.error).toBeNull();
        for (const call of READING_CALLS) {
          const { error } = await client.rpc(call as never);
          expect({ call, error }).toEqual({ call, error: null });
        }
        const deleted = await client.rpc("delete_my_account", { current_password: password } as never);
        expect(deleted.error).toBeNull();
      } finally {
        await product.stop();
      }
      expect(await findOwnDatabaseFaults(url)).toEqual([]);
    });
  },
);

/** Functions of the data API that need no arguments. */
const READING_CALLS = [
  ...["create_telegram_link", "export_my_data", "has_password", "my_find_points", "my_finds"],
  ...["my_security_events", "my_sessions", "my_watches"],
];
