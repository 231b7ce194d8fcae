import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The component of src that writes each table. Users' own writes go through row-level security and functions of the database. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  backend: [
    ...["auth.flow_state", "auth.identities", "auth.mfa_amr_claims", "auth.refresh_tokens", "auth.sessions"],
    ...["auth.users", "private.guard_allowances", "private.known_addresses", "private.server_keys"],
    ...["private.telegram_launches"],
    ...["private.mailed_links"],
    ...["private.sign_ups", "private.known_browsers", "private.security_events"],
  ],
  watcher: [
    ...["public.demo_listings", "public.left_outs", "public.listings", "public.watch_intervals"],
    ...["watch.compiled_searches", "watch.demo_filters", "watch.feed_listings", "watch.feeds"],
    ...["watch.first_checks", "watch.measured_figures", "watch.newcomer_checks", "watch.portal_listings"],
    ...["watch.quarantine"],
    ...["watch.prices", "watch.request_budgets", "watch.routing_requests", "watch.scan_leases"],
    ...["watch.scan_pages", "watch.search_previews", "watch.sightings", "watch.source_defects"],
    ...["watch.travel_times", "watch.waiting_searches", "watch.coverage", "watch.gaps", "watch.told"],
  ],
  telegram: [
    ...["public.chats", "public.marks", "public.own_places", "public.profiles", "public.searches"],
    ...["watch.account_questions", "watch.alerts", "watch.chats"],
    ...["watch.away_mails", "watch.bot", "watch.chat_paces", "watch.chat_questions"],
    ...["watch.link_tokens", "watch.name_questions", "watch.open_questions", "watch.search_chats"],
    ...["watch.sender", "watch.updates"],
  ],
  "alert-mails": [
    ...["public.mail_addresses", "public.received_mails", "watch.mail_figures", "watch.mail_listings"],
    ...["watch.mailboxes", "watch.mails"],
  ],
  server: ["private.account_mails", "watch.backups", "watch.incidents", "watch.pause"],
  // Used by several components.
  store: [...["public.market_figures", "watch.changed_towns"]],
};

/** Files that write tables of another component, and why. */
const GUESTS: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  "src/server/ops/rows/operator-acts.ts": {
    tables: ["auth.sessions", "auth.users", "public.searches", "watch.alerts"],
    why: "what an operator does to a person or the outbox",
  },
  "src/telegram/send/rows/away-mails.ts": {
    tables: ["private.account_mails"],
    why: "the mail and the mark of its alerts are one statement",
  },
  "src/telegram/bot/rows/ask-preview.ts": {
    tables: ["watch.search_previews"],
    why: "a chat asks the watcher, as a page does through public.preview_search",
  },
  "src/telegram/rows/left-outs.ts": {
    tables: ["public.left_outs", "public.listings", "watch.told"],
    why: "a rule may be saved between finding and sending",
  },
  ...Object.fromEntries(
    [
      "src/alert-mails/rows/mail-addresses.ts",
      "src/watcher/rows/alerts-ahead.ts",
      "src/watcher/rows/changed-listings.ts",
      "src/watcher/rows/changed-since.ts",
      "src/watcher/rows/feeds/gaps.ts",
      "src/watcher/rows/feeds/spent-quota.ts",
      "src/watcher/rows/found-listings.ts",
      "src/watcher/rows/source-alerts.ts",
      "src/watcher/rows/summary-offers.ts",
      "src/watcher/rows/watch-started.ts",
    ].map((path) => [
      path,
      { tables: ["watch.alerts"], why: "an alert is added in the transaction of its cause" },
    ]),
  ),
};

/** Deletes what is old, of any table. */
const RETENTION = "src/watcher/rows/watch-housekeeping.ts";
const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+((?:watch|public|private|auth)\.\w+)/g;

const files = (await readdir("src", { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.test\.ts$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((path) => !path.startsWith("src/web/"));
const sources = new Map(files.map((path) => [path, readFileSync(path, "utf8")]));

test("ONE-05 each table is written by the component that owns it, and every exception is named", () => {
  const ownerOf = new Map(
    Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner] as const)),
  );
  const written = new Set<string>();
  const strangers = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    for (const [, table = ""] of source.matchAll(WRITES)) {
      written.add(table);
      const isOwn = path.startsWith(`src/${ownerOf.get(table)}/`);
      if (!isOwn && path !== RETENTION) strangers.set(path, (strangers.get(path) ?? new Set()).add(table));
    }
  }
  const found = Object.fromEntries([...strangers].map(([path, tables]) => [path, [...tables].sort()]));
  expect(found).toEqual(
    Object.fromEntries(Object.entries(GUESTS).map(([path, { tables }]) => [path, tables])),
  );
  expect([...written].sort()).toEqual([...ownerOf.keys()].sort());
});

test("ONE-02 one function writes what was found, for feeds and mails alike", () => {
  const callersOf = (name: string) =>
    [...sources]
      .filter(([, source]) => new RegExp(`(?<!function )\\b${name}\\(`).test(source))
      .map(([path]) => path);
  const only = ["src/watcher/rows/write-events.ts"];
  expect([callersOf("addFoundAlerts"), callersOf("addChangeAlerts")]).toEqual([only, only]);
  expect(callersOf("writeEvents").sort()).toEqual([
    "src/alert-mails/ingest/ingest-mail.ts",
    "src/watcher/ingest/ingest-page.ts",
    "src/watcher/ingest/ingest-reading.ts",
    "src/watcher/ingest/start-searches.ts",
  ]);
});
