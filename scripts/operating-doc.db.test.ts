// Tests docs/operating.md: every command is run here or by the test named below, or has a note that says why not.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONFIG_NAMES, readSettings } from "#server/config.ts";
import { missingOperator } from "#server/monitoring/operator-settings.ts";
import { runOps } from "#server/ops/run-ops.ts";
import { unsafeSettings } from "#server/start/unsafe-settings.ts";
import { databaseSettings } from "#test/postgres/migrated-postgres.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const MANUAL = readFileSync("docs/operating.md", "utf8");
const METRICS_TOKEN = "kJh87sdf6Zq2mNv5rT1x";
const PERSON = "ana@example.com";

type Block = { language: string; text: string; note: string };

const BLOCKS: Block[] = [
  ...MANUAL.matchAll(/(?:<!-- (?<note>.+) -->\n)?^```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm),
].map(({ groups = {} }) => ({
  language: groups.language ?? "",
  text: groups.text ?? "",
  note: groups.note ?? "",
}));

/** Joins continued lines and strips the user and host parts of a command. */
function commandsIn(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/^runuser --user=sereno -- /, "").trim())
    .filter((line) => line !== "" && line !== "cd /opt/sereno");
}

const isExcused = ({ note }: Block) =>
  /^not exercised: \S.{5,}$/.test(note) || existsSync(/^exercised .*: (\S+)$/.exec(note)?.[1] ?? "");
const inBlocks = BLOCKS.filter((block) => block.language === "sh" && !isExcused(block)).flatMap(({ text }) =>
  commandsIn(text),
);
const inWords = [...MANUAL.matchAll(/`(npm run [^`]+)`/g)].map(([, command = ""]) => command);

/** Commands that other tests run, by a part of them. */
const ELSEWHERE: Record<string, [file: string, sign: string]> = {
  "npm run doctor": ["src/server/doctor/doctor.db.test.ts", "scripts/doctor.ts"],
  "npm run ops": ["src/server/ops/run-ops.db.test.ts", "USAGE"],
  "npm run ops -- restore": ["src/server/ops/backup.db.test.ts", '"restore"'],
  "npm run ops -- new-password": ["src/server/start-and-stop.db.test.ts", '"new-password"'],
  "npm run ops -- upgrade": ["src/server/ops/upgrade.db.test.ts", '"upgrade", "--from"'],
};

let product: TestProduct;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-operating-"));
  product = await startTestProduct({ METRICS_TOKEN });
  const { error } = await product.createClient().auth.signUp({ email: PERSON, password: "a-long-password" });
  expect(error).toBeNull();
});
afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script like `npm run`, with only these settings. Does not block: the product runs in this process. */
function runScript(
  name: string,
  settings: Record<string, string>,
): Promise<{ isWell: boolean; stderr: string }> {
  const [, script = ""] = / (scripts\/\S+)$/.exec(packageFile.scripts[name] ?? "") ?? [];
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, _, stderr) => resolve({ isWell: !error, stderr }));
  });
}
const packageFile: { scripts: Record<string, string>; dependencies: Record<string, string> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

/** Throws if the command fails; returns false if it is unknown here. */
async function exercise(command: string): Promise<boolean> {
  const named = Object.keys(ELSEWHERE)
    .filter((begin) => command === begin || (begin.includes("--") && command.startsWith(`${begin} `)))
    .at(0);
  if (named !== undefined) {
    const [file, sign] = ELSEWHERE[named] ?? ["", ""];
    return readFileSync(file, "utf8").includes(sign);
  }
  const [, script, rest = ""] = /^npm run (ops|plan|build)(?: -- (.+))?$/.exec(command) ?? [];
  if (script === "ops") {
    const args = rest.replace("/var/backups/sereno", folder).split(" ");
    const settings = { databaseUrl: product.database.url, dataDir: folder };
    return (await runOps(args, settings, new Date())).length > 0;
  }
  if (script !== undefined) return (await runScript(script, databaseSettings(product.database.url))).isWell;
  const [, header = "", path] =
    /^curl (?:--header "(.+)" )?http:\/\/127\.0\.0\.1:3000(\/\w+)$/.exec(command) ?? [];
  if (path === undefined) return false;
  const [name, value] = header.replace("$METRICS_TOKEN", METRICS_TOKEN).split(": ");
  const headers = name && value ? { [name]: value } : {};
  const answer = await fetch(`${product.url}${path}`, { headers: { ...headers, connection: "close" } });
  return answer.status === 200;
}

test("SERV-06 every command in the manual is run by a test or says why not", async () => {
  expect(inBlocks.length).toBeGreaterThan(12);
  const failed: string[] = [];
  for (const command of new Set([...inBlocks, ...inWords])) {
    if (!(await exercise(command))) failed.push(command);
  }
  expect(failed).toEqual([]);
  await expect(exercise("npm run ops -- sing")).rejects.toThrow();
  expect(await exercise("reboot")).toBe(false);
});

const isKnown = (name: string) =>
  CONFIG_NAMES.includes(name) || CONFIG_NAMES.includes(name.replace(/_FILE$/, ""));

test("SERV-05 every setting in the manual exists, and its minimal settings are sufficient", () => {
  const inCode = [...MANUAL.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, name = ""]) => name);
  expect(inCode.length).toBeGreaterThan(30);
  expect(inCode.filter((name) => !isKnown(name))).toEqual([]);
  const [least = {}, ...others] = BLOCKS.filter(({ language }) => language === "ini").map(({ text }) =>
    parseEnv(text),
  );
  for (const settings of [least, ...others]) {
    expect(Object.keys(settings).filter((name) => !isKnown(name))).toEqual([]);
  }
  expect(mistakesOf(least)).toEqual([]);
});

function mistakesOf(environment: NodeJS.Dict<string>): string[] {
  const findMistakes = (values: NodeJS.Dict<string>) => [
    ...unsafeSettings(values),
    ...missingOperator(values),
  ];
  return readSettings({ environment, findMistakes }).mistakes;
}

test("SERV-02 each role requires exactly the settings that the manual names", () => {
  const [example = {}] = BLOCKS.filter(({ language }) => language === "ini").map(({ text }) =>
    parseEnv(text),
  );
  const values: NodeJS.Dict<string> = {
    ...example,
    SEARCH_BY_URL_API_URL: "https://data.example",
    SEARCH_BY_URL_API_KEY: "key",
    ...databaseSettings("postgres://sereno:password@127.0.0.1/sereno"),
  };
  const rows = [...MANUAL.matchAll(/^\| `(web|watcher|bot|mail)` \|[^|]+\|([^|]+)\|/gm)];
  expect(rows.map(([, role]) => role)).toEqual(["web", "watcher", "bot", "mail"]);
  for (const [, role = "", needs = ""] of rows) {
    const [first = "", second] = needs.split(" or ");
    const namesIn = (text: string) => text.match(/[A-Z][A-Z_]+/g) ?? [];
    const given = (names: string[]) => ({
      ROLES: role,
      DATABASE_URL: values.DATABASE_URL,
      ...Object.fromEntries(names.map((name) => [name, values[name]])),
    });
    const ways = second === undefined ? [namesIn(first)] : [namesIn(first), ["SITE_URL", ...namesIn(second)]];
    for (const names of ways) {
      expect(mistakesOf(given(names))).toEqual([]);
      for (const left of names) {
        expect(
          mistakesOf(given(names.filter((name) => name !== left))),
          `${role} without ${left}`,
        ).not.toEqual([]);
      }
    }
  }
});

const anchorOf = (heading: string) =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-")}`;

test("the manual's links work, and it names our Node version", () => {
  const links = [...MANUAL.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(8);
  const headings = [...MANUAL.matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) => anchorOf(words));
  const isThere = (link: string) =>
    link.startsWith("#") ? headings.includes(link) : existsSync(join("docs", link));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
  const versions = [...MANUAL.matchAll(/node\D{0,3}v(\d+\.\d+\.\d+)/g)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set([packageFile.dependencies.node]));
});

test("SERV-04 with hosted Supabase the build is a static site with its headers and its operator", async () => {
  const settings = {
    ...{
      SUPABASE_URL: "https://project.supabase.co",
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_9Zq2mNv5rT1x",
    },
    SITE_URL: "https://sereno.example",
  };
  const refused = await runScript("build", settings);
  expect(refused).toEqual({ isWell: false, stderr: expect.stringMatching(/OPERATOR_NAME is missing/) });
  const operator = {
    ...{ OPERATOR_NAME: "Ana Ejemplo", OPERATOR_ADDRESS: "Calle Mayor 1, Madrid" },
    ...{ OPERATOR_EMAIL: PERSON, DATA_PROTECTION_CONTACT: PERSON, TELEGRAM_BOT_USERNAME: "SerenoBot" },
  };
  try {
    expect(await runScript("build", { ...settings, ...operator })).toMatchObject({ isWell: true });
    const read = (path: string) => readFileSync(join("build/static", path), "utf8");
    expect(read("_headers")).toMatch(
      /^\/privacy\n(?: {2}.+\n)* {2}content-security-policy: .*project\.supabase\.co/m,
    );
    expect(JSON.parse(read("config.json"))).toMatchObject({
      supabaseUrl: settings.SUPABASE_URL,
      botUsername: "SerenoBot",
    });
    expect(read("privacy/index.html")).toContain(operator.OPERATOR_ADDRESS);
  } finally {
    await rm("build/static", { recursive: true, force: true });
  }
});
