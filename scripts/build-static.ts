// `npm run build`: the web app as files for any static host, beside a hosted Supabase. The headers the server would send
// stand in `_headers`, which static hosts read.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { askTelegramWhoWeAre } from "#server/bot-name.ts";
import { publicConfigOf, readConfig } from "#server/config.ts";
import { commonHeaders } from "#server/http/security-headers.ts";
import { loadWebApp } from "#server/http/web-app.ts";
import { missingOperator } from "#server/monitoring/operator-settings.ts";
import { buildWebIfStale } from "./build-web.ts";

const FOLDER = "build/static";

// Files ask no database; the settings ask for it beside a hosted Supabase all the same.
const config = readConfig({ DATABASE_URL: "postgres://unused.invalid", ...process.env, ROLES: "web" });
if (!config.supabase || !process.env.SITE_URL) {
  process.stderr.write("A static build needs SITE_URL, SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY.\n");
  process.exit(1);
}
const unnamed = missingOperator(process.env);
if (unnamed.length > 0) {
  process.stderr.write(`${unnamed.map((sentence) => `${sentence}.`).join("\n")}\n`);
  process.exit(1);
}
await buildWebIfStale((step) => process.stderr.write(`· ${step}\n`));
const web = await loadWebApp({
  folder: "build/client",
  siteUrl: config.siteUrl,
  supabaseUrl: config.supabase.url,
  operator: config.operator,
});

await rm(FOLDER, { recursive: true, force: true });
const rules: string[] = [];
for (const [path, file] of web.all()) {
  const name = extname(path) ? path : join(path, "index.html");
  await mkdir(dirname(join(FOLDER, name)), { recursive: true });
  await writeFile(join(FOLDER, name), await file.body("identity"));
  rules.push(ruleFor(path, { ...commonHeaders(config.siteUrl), ...file.headers }));
}
await writeFile(join(FOLDER, "_headers"), rules.join("\n"));
const botUsername = config.telegram.username ?? (await askBotName());
await writeFile(join(FOLDER, "config.json"), JSON.stringify(publicConfigOf(config, { botUsername })));
process.stdout.write(`${FOLDER} is ready to be served.\n`);

/** Nobody is there to ask later: the files are all there is. */
async function askBotName(): Promise<string> {
  const { token, apiRoot } = config.telegram;
  const identity = token === undefined ? undefined : await askTelegramWhoWeAre({ token, apiRoot });
  if (identity?.kind === "known") return identity.username;
  process.stderr.write("A static build needs TELEGRAM_BOT_USERNAME, or a TELEGRAM_BOT_TOKEN to ask with.\n");
  process.exit(1);
}

function ruleFor(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ""].join("\n");
}
