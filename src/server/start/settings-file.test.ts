import { expect, test } from "vitest";
import { CONFIG_NAMES, readSettings } from "../config.ts";
import { findFileMistakes, findUnknownSettings } from "./settings-file.ts";

test.each([
  ["SMTP_URL=smtps://user:pass#word@mail.example", ["SMTP_URL in line 1 of .env contains an unquoted #"]],
  ["# a comment\n\nexport PORT=3000 # the web", ["PORT in line 3 of .env contains an unquoted #"]],
  ["SMTP_URL=\"smtps://user:pass#word@mail.example\"\nMAIL_FROM='a#b'\n  # PORT=1 # 2\nHOST=::1", []],
])("RUN-07 an unquoted # in the settings file is refused: %j", (text, begins) => {
  const mistakes = findFileMistakes(text);
  expect(mistakes).toEqual(begins.map((begin) => expect.stringContaining(begin)));
  expect(mistakes.join()).not.toMatch(/pass|3000/);
  const { config, mistakes: all } = readSettings({ environment: { ROLES: "mail" }, file: text });
  expect(all).toEqual(mistakes);
  expect(config === undefined).toBe(begins.length > 0);
});

const unknownIn = (environment: Record<string, string>, file = "") =>
  findUnknownSettings({ file, environment, settings: CONFIG_NAMES });

test.each([
  ["SMPT_URL", "SMTP_URL"],
  ["TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"],
  ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
  ["IDEALISTA_KEY", "IDEALISTA_API_KEY"],
  ["DATADIR", "DATA_DIR"],
  ["JWT_SECRETS_FILE", "JWT_SECRET"],
])("RUN-07 the name %s is pointed out with %s", (name, nearest) => {
  const sentence = `${name} is not a setting; do you mean ${nearest}?`;
  expect(unknownIn({ [name]: "hunter22" })).toEqual([sentence]);
  expect(unknownIn({}, `${name}=hunter22\n`)).toEqual([sentence]);
});

test("RUN-07 known names and those of the system are not pointed out, and a foreign name only in the file", () => {
  const known = Object.fromEntries(
    CONFIG_NAMES.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, ""]),
  );
  const system = [
    "HOME",
    "HOSTNAME",
    "USER",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TZ",
    "PATH",
    "PWD",
    "TERM",
    "LOGNAME",
  ];
  const others = [
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "INVOCATION_ID",
    "XDG_DATA_DIRS",
    "PGPORT",
    "CI",
    "DISPLAY",
  ];
  const environment = Object.fromEntries([...system, ...others, "GREETING"].map((name) => [name, ""]));
  expect(unknownIn({ ...known, ...environment, CONSOLE_PORT: "1" })).toEqual([]);
  expect(unknownIn({}, "GREETING=hello\nTZ=UTC\n")).toEqual([
    "GREETING is not a setting; .env.example lists them",
  ]);
});
