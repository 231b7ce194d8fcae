import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionsNeeded, versionFault } from "./check-database.ts";

test("RUN-01 PostgreSQL 15 to 18 are accepted, older and newer servers are refused in one sentence", () => {
  expect([15, 16, 17, 18].map(versionFault)).toEqual([undefined, undefined, undefined, undefined]);
  for (const major of [9, 14, 19]) {
    expect(versionFault(major)).toBe(
      `The database server is PostgreSQL ${major}, and Sereno needs 15 to 18; nothing was changed.`,
    );
  }
});

test("RUN-01 the connections of a process are counted by its roles, as the manual says", () => {
  const [, ...counts] =
    /opens up to (\d+), and for each of its roles: `web` (\d+) \((\d+) with a hosted Supabase\), `watcher` (\d+), `bot` (\d+), `mail` (\d+); with all\nroles (\d+)/.exec(
      readFileSync("docs/operating.md", "utf8"),
    ) ?? [];
  const [own = 0, web = 0, hosted = 0, watcher = 0, bot = 0, mail = 0, all = 0] = counts.map(Number);
  expect(connectionsNeeded([], false)).toBe(own);
  expect(connectionsNeeded(["web"], false)).toBe(own + web);
  expect(connectionsNeeded(["web"], true)).toBe(own + hosted);
  expect(connectionsNeeded(["watcher", "bot", "mail"], false)).toBe(own + watcher + bot + mail);
  expect(connectionsNeeded(["web", "watcher", "bot", "mail"], false)).toBe(all);
});
