import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { renderMail } from "../account-mails/render-mail.ts";
import { operatorOf } from "../monitoring/operator-settings.ts";
import { loadWebApp, type WebApp } from "./web-app.ts";

// Reads the build that `npm run check` has made.
const load = (operator: ReturnType<typeof operatorOf>) =>
  loadWebApp({
    folder: "build/client",
    siteUrl: "https://sereno.example",
    supabaseUrl: undefined,
    operator,
  });

const REQUIRED = {
  OPERATOR_NAME: "Casa Serena SL",
  OPERATOR_ADDRESS: "Carrer Major 1, 08901 Barcelona",
  OPERATOR_EMAIL: "hola@sereno.example",
  DATA_PROTECTION_CONTACT: "Delegada",
};
const PLAIN = operatorOf({
  ...REQUIRED,
  OPERATOR_REGISTER: "B 1",
  OPERATOR_TAX_NUMBER: "B00000000",
  HOSTING_PROVIDER: "Alojamientos SL, España",
  MAP_TILES_URL: "https://tiles.example/planet",
  GOVERNING_LAW: "Derecho español",
  BACKUP_DAYS: 14,
});
const NASTY = {
  name: `</script><script>alert(1)</script> "O'Neill" & Söhne \`\${x}\` \\ $& $1 🏠`,
  address: "L'Hospitalet <b>, 1º \u2028 2ª",
  email: "operator-name.invalid@example.com",
  register: "{name} &lt;",
  taxNumber: "<i>1</i>",
  hostingProvider: "a[b]c 'd'",
  governingLaw: "§ \u201c",
  mapTilesHost: "tiles.example",
  backupDays: "14",
  dataProtectionContact: "]]> --> %00",
};
const textsIn = (language: string) =>
  JSON.parse(readFileSync(`src/text/locales/${language}/legal.json`, "utf8"));
const IN_HTML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => IN_HTML[sign] ?? sign);

const textOf = async (web: WebApp, path: string) =>
  Buffer.from((await web.find(path)?.body("identity")) ?? "").toString("utf8");
const scriptsOf = (html: string) =>
  [...html.matchAll(/<script\b[^>]*>[\s\S]*?<\/script>/g)].map(([script]) => script);

const isCode = (wanted: boolean) => (script: string) =>
  wanted === !/^<script[^>]*type="application\/(?:ld\+)?json"/.test(script);

test("SERV-05 the operator is named on both legal pages in five languages, whatever characters the name has, and cannot inject a script", async () => {
  const [plain, nasty] = await Promise.all([load(PLAIN), load(NASTY)]);
  for (const path of LANGUAGES.flatMap((one) => [
    localizedPath("/privacy", one),
    localizedPath("/terms", one),
  ])) {
    const [before, after] = [await textOf(plain, path), await textOf(nasty, path)];
    for (const name of ["name", "address", "email", "register", "taxNumber"] as const) {
      expect(before, path).toContain(PLAIN[name] ?? "");
      expect(after, path).toContain(escaped(NASTY[name]));
    }
    const [scripts, data] = [isCode(true), isCode(false)].map((ofKind) => scriptsOf(after).filter(ofKind));
    expect(scripts, path).toEqual(scriptsOf(before).filter(isCode(true)));
    expect(scripts?.length, path).toBeGreaterThan(0);
    for (const block of data ?? []) JSON.parse(block.replace(/^<[^>]*>|<[^>]*>$/g, ""));
    expect(nasty.find(path)?.headers["content-security-policy"], path).toBe(
      plain.find(path)?.headers["content-security-policy"],
    );
  }
});

const FACTS = {
  "/privacy": ["hostingProvider", "backupDays", "taxNumber", "mapTilesHost"],
  "/terms": ["governingLaw", "taxNumber"],
} as const;

test("ROUTE-02 MAP-02 the legal pages name hosting, backups, the map's tile host, tax number and applicable law from the settings, and say so if one is missing", async () => {
  const [stated, open] = await Promise.all([load(PLAIN), load(operatorOf({ ...REQUIRED }))]);
  for (const language of LANGUAGES) {
    const { privacy, terms } = textsIn(language);
    for (const [path, names] of Object.entries(FACTS)) {
      const [with_, without] = await Promise.all(
        [stated, open].map((web) => textOf(web, localizedPath(path, language))),
      );
      for (const name of names) expect(with_, `${language} ${path}`).toContain(PLAIN[name]);
      const paragraphs = JSON.stringify(path === "/terms" ? terms : privacy);
      const otherwise = [...paragraphs.matchAll(/\.invalid\[([^\]]*)\]/g)].map(([, words = ""]) => words);
      expect(otherwise.length).toBe(names.length);
      for (const words of otherwise) {
        expect(without, `${language} ${path}`).toContain(words);
        expect(with_, `${language} ${path}`).not.toContain(words);
      }
      expect(without).not.toMatch(/\.invalid\b/);
    }
  }
});

test("SERV-05 the hydrated page names the operator like the prerendered one, and its texts are not cached", async () => {
  const web = await load(NASTY);
  const named: string[] = [];
  for (const [path, file] of web.all()) {
    const text = file.isCompressible ? await textOf(web, path) : "";
    expect(text, path).not.toMatch(
      /(?<!@|\/\/)\b(operator-(address|email|register)|data-protection-contact)\.invalid/,
    );
    if (!text.includes("Neill")) continue;
    named.push(path);
    expect(file.headers["cache-control"], path).toBe("no-cache");
    const script = path.startsWith("/assets/") ? text : scriptsOf(text).find((one) => one.includes("Neill"));
    if (script === undefined) continue;
    // A string literal of the file with any quotes, parsed like the browser does.
    const quoted =
      /(["'`])[^"'`]*?((?:[^"'`\\]|\\.)*?O\\u0027Neill(?:[^"'`\\]|\\.)*)\1/.exec(script)?.[2] ?? "";
    expect(JSON.parse(`"${quoted}"`), path).toContain(NASTY.name);
  }
  expect(named).toHaveLength(3 * LANGUAGES.length);
});

test("SERV-05 every mail names the operator, as text", () => {
  for (const language of LANGUAGES) {
    const mail = renderMail(
      { kind: "account-deleted", language, fullName: null },
      "https://sereno.example",
      NASTY,
    );
    expect(mail.html).toContain(escaped(NASTY.name));
    expect(mail.html).not.toContain("<script");
    for (const name of ["name", "address", "email"] as const) expect(mail.text).toContain(NASTY[name]);
  }
});
