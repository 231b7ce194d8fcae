// `npm run build`: builds the web app in advance, for servers that cannot write to their disk. With hosted Supabase it
// also builds a static site; its `_headers` file has the headers that the server would send, for static hosts that read
// it.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fetchBotIdentity } from "#server/bot-name.ts";
import { type Config, readSettings } from "#server/config.ts";
import { commonHeaders, frameOptions } from "#server/http/security-headers.ts";
import { loadWebApp } from "#server/http/web-app.ts";
import { missingFactsNotice, missingOperator } from "#server/monitoring/operator-settings.ts";
import { publicConfigOf } from "#server/public-config.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";
import { buildWebIfStale } from "./web/build-web.ts";

const CLIENT = "build/client";
const STATIC = "build/static";

const config = process.env.SUPABASE_URL ? requireSettings() : undefined;
const botUsername = config ? (config.telegram.username ?? (await askBotName(config))) : "";
await buildWebIfStale((step) => process.stderr.write(`· ${step}\n`));
process.stdout.write(`${CLIENT} is ready for \`npm run serve\`.\n`);
if (config) await writeStaticSite(config, botUsername);

/** Requires the same settings as `npm run serve`, because these files are public. Does not access a database. */
function requireSettings(): Config {
  const { config, mistakes, usable } = readSettings({
    environment: { DATABASE_URL: "postgres://localhost/unused", ...process.env, ROLES: "web" },
    findMistakes: (values) => [...unsafeSettings(values), ...missingOperator(values)],
  });
  if (config === undefined) return fail(mistakes);
  const notice = missingFactsNotice(usable);
  if (notice !== undefined) process.stderr.write(`· ${notice}\n`);
  return config;
}

/** A static site cannot look the name up later. */
async function askBotName({ telegram: { token, apiRoot } }: Config): Promise<string> {
  const identity = token === undefined ? undefined : await fetchBotIdentity({ token, apiRoot });
  if (identity?.kind === "known") return identity.username;
  return fail(["TELEGRAM_BOT_USERNAME is missing, or a TELEGRAM_BOT_TOKEN to ask with"]);
}

function fail(mistakes: readonly string[]): never {
  process.stderr.write(`A static site cannot be built:\n${mistakes.map((one) => `  - ${one}\n`).join("")}`);
  process.exit(1);
}

async function writeStaticSite(config: Config, botUsername: string): Promise<void> {
  const web = await loadWebApp({
    folder: CLIENT,
    siteUrl: config.siteUrl,
    supabaseUrl: config.supabase?.url,
    operator: config.operator,
    offlinePages: config.offlinePages,
  });
  await rm(STATIC, { recursive: true, force: true });
  const common = commonHeaders(config.siteUrl, config.monitoring.security.httpsOnly);
  const rules = [ruleFor("/config.json", { ...common, "cache-control": "no-cache" })];
  for (const [path, file] of web.all()) {
    const name = extname(path) ? path : join(path, "index.html");
    await mkdir(dirname(join(STATIC, name)), { recursive: true });
    await writeFile(join(STATIC, name), await file.body("identity"));
    const frames = frameOptions(file.headers["content-security-policy"]);
    rules.push(ruleFor(path, { ...common, ...frames, ...file.headers }));
  }
  await writeFile(join(STATIC, "_headers"), rules.join("\n"));
  await writeFile(join(STATIC, "config.json"), JSON.stringify(publicConfigOf(config, { botUsername })));
  process.stdout.write(`${STATIC} is ready for any static host.\n`);
}

function ruleFor(path: string, headers: Record<string, string>): string {
  return [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ""].join("\n");
}
