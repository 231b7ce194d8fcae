import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/log.ts";
import { startProduct } from "#server/product.ts";
import type { PublicConfig } from "#server/public-config.ts";
import { type MailSimulator, startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { databaseSettings } from "./postgres/migrated-postgres.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export type TestProduct = {
  url: string;
  publishableKey: string;
  /** The SMTP port for alert mails; 0 if they are off. */
  mailPort: number;
  database: TestDatabase;
  mail: MailSimulator;
  /** The log so far. */
  log: () => string;
  /** A new supabase-js client with its own session. */
  createClient: () => SupabaseClient;
  stop: () => Promise<void>;
};

/** The whole product on a new database, with a web app of two pages. `moreSql` runs before the data API reads the schema. */
export async function startTestProduct(
  settings: Record<string, string> = {},
  moreSql = "",
): Promise<TestProduct> {
  const [database, mail, folder] = await Promise.all([
    createTestDatabase(),
    startMailSimulator(),
    mkdtemp(join(tmpdir(), "sereno-product-")),
  ]);
  await writeSmallWebApp(join(folder, "web"));
  if (moreSql) await database.sql.unsafe(moreSql);
  let log = "";
  const product = await startProduct({
    config: readConfig({
      PORT: "0",
      ROLES: "web",
      SITE_URL: "http://localhost:3000",
      DATA_DIR: join(folder, "data"),
      ...databaseSettings(settings.DATABASE_URL ?? database.url),
      SMTP_URL: mail.smtpUrl,
      MAIL_FROM: "Sereno <sereno@example.com>",
      // Each client has its own address, as behind a proxy: otherwise the users of a test would share one address's limits.
      TRUSTED_PROXIES: "1",
      // A test sends more requests than a person.
      API_REQUESTS_PER_MINUTE_PER_ADDRESS: "1000000",
      API_REQUESTS_PER_MINUTE_PER_PERSON: "1000000",
      ...settings,
    }),
    folders: { web: join(folder, "web"), migrations: "supabase/migrations" },
    createLogger: (secrets) => createLogger({ level: "debug", secrets, write: (line) => (log += line) }),
    onStep: () => {},
  });
  const url = `http://127.0.0.1:${product.port}`;
  const { publishableKey } = await readPublicConfig(url);
  const clients: SupabaseClient[] = [];
  return {
    url,
    publishableKey,
    mailPort: product.mailPort ?? 0,
    database,
    mail,
    log: () => log,
    createClient: () => {
      const options = {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { headers: { "x-forwarded-for": `192.0.${clients.length >> 8}.${clients.length & 255}` } },
      };
      const client = createClient(url, publishableKey, options);
      clients.push(client);
      return client;
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.removeAllChannels()));
      await product.stop();
      await Promise.all([database.drop(), mail.stop(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

/** Only a process that serves the site has a port. */
async function readPublicConfig(url: string): Promise<Pick<PublicConfig, "publishableKey">> {
  const answer = await fetch(`${url}/config.json`);
  return answer.ok ? ((await answer.json()) as PublicConfig) : { publishableKey: "" };
}

async function writeSmallWebApp(folder: string): Promise<void> {
  const pages = {
    "index.html":
      '<html lang="en"><script>document.title="home"</script><p>https://site-origin.invalid/</p></html>',
    "es/index.html": '<html lang="es"><p>inicio</p></html>',
    "404/index.html": '<html lang="en"><p>Oops! Page not found</p></html>',
    "es/404/index.html": '<html lang="es"><p>Página no encontrada</p></html>',
    "assets/app-1234.js": "console.log('app');".repeat(100),
    "robots.txt": "Sitemap: https://site-origin.invalid/sitemap.xml",
  };
  for (const [name, text] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
