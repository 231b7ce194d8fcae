// Reads and verifies signed alert mails after every mutation of mutators.ts: damaged, forged and hostile ones. It must not throw,
// must not accept what the portal did not sign, and must never read another price. The argument is the number of mails.
import { performance } from "node:perf_hooks";
import type { MailEvent } from "#alert-mails/read/mail-event.ts";
import { readAlertMail } from "#alert-mails/read/read-alert-mail.ts";
import { verifySignature } from "#alert-mails/verify/verify-signature.ts";
import { alertMail, makeDkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import { seeded } from "#test/seeded.ts";
import { quantile } from "../bench-server.ts";
import { MUTATORS, type Mutator, type Original } from "./mutators.ts";

const COUNT = Number(process.argv[2] ?? 10_000);
const ORIGINALS = 50;
const MAX_MS = 2_000;
const MAX_MB = 700;
const DOMAINS = [
  "idealista.com",
  "idealista.it",
  "idealista.pt",
  "fotocasa.es",
  "habitaclia.com",
  "yaencontre.com",
  "google.com",
];

interface Tally {
  mails: number;
  signed: number;
  events: number;
  unreadable: number;
  /** Results that must not occur. */
  wrong: number;
  times: number[];
}

const random = seeded(14);
const key = makeDkimKey();
const strangersKey = makeDkimKey("example.net");
const records = new Map([key, strangersKey].map(({ record }) => [record.name, record.text]));
const originals = await Promise.all(Array.from({ length: ORIGINALS }, (_, n) => makeOriginal(n)));
const tallies = new Map<string, Tally>();
const complaints = new Set<string>();
let peakMb = 0;

async function makeOriginal(n: number): Promise<Original> {
  const formerPriceEur = n % 3 === 0 ? 200_000 + n * 1_100 : null;
  const facts = { code: String(110_000_000 + n), priceEur: 190_000 + n * 1_000, formerPriceEur };
  const unsigned = alertMail({
    code: facts.code,
    priceEur: facts.priceEur,
    ...(formerPriceEur === null ? {} : { formerPriceEur }),
    isPrivate: n % 2 === 0,
  });
  return { ...facts, unsigned, raw: await signMail(unsigned, key) };
}

function draw(): readonly [string, Mutator] {
  const entries = Object.entries(MUTATORS);
  let left = random() * entries.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const entry of entries) {
    left -= entry[1].weight;
    if (left <= 0) return entry;
  }
  return entries[0] as [string, Mutator];
}

interface Judged {
  readonly isSigned: boolean;
  readonly type: string;
  readonly events: readonly MailEvent[];
}

/** As in the product: an event counts if the mail is signed by its sender's domain. */
async function judge(raw: Buffer): Promise<Judged> {
  const { reading, from } = await readAlertMail(raw);
  const domain = DOMAINS.find((name) => from?.endsWith(`@${name}`) || from?.endsWith(`.${name}`));
  const resolveText = async (name: string) => {
    const record = records.get(name);
    if (record === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
    return [[record]];
  };
  const isSigned =
    domain !== undefined &&
    (await verifySignature(raw, domain, { resolveText, now: new Date() })).type === "signed";
  const events = reading.type === "alert" || reading.type === "digest" ? reading.events : [];
  return { isSigned, type: reading.type, events: isSigned ? events : [] };
}

for (let n = 0; n < COUNT; n += 1) {
  const [name, mutator] = draw();
  const original = originals[n % ORIGINALS] as Original;
  const other = originals[(n + 7) % ORIGINALS] as Original;
  const raw = await mutator.mutate({ original, other, random, key, strangersKey });
  const tally = tallies.get(name) ?? { mails: 0, signed: 0, events: 0, unreadable: 0, wrong: 0, times: [] };
  tallies.set(name, tally);
  tally.mails += 1;
  const from = performance.now();
  const judged = await judge(raw).catch((error: unknown) => String(error));
  tally.times.push(performance.now() - from);
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1024 / 1024);
  const complaint =
    typeof judged === "string" ? `threw: ${judged}` : complaintAbout(judged, mutator, original);
  if (complaint) {
    tally.wrong += 1;
    complaints.add(`${name}: ${complaint}`);
  }
  if (typeof judged === "string") continue;
  tally.signed += Number(judged.isSigned);
  tally.events += judged.events.length;
  tally.unreadable += Number(judged.type === "unreadable");
}

function complaintAbout(judged: Judged, mutator: Mutator, original: Original): string | undefined {
  const { isSigned, events } = judged;
  if (isSigned && mutator.isSigned === "no") return "what the portal did not sign counts";
  if (!isSigned && mutator.isSigned === "yes") return "what the portal signed does not count";
  if (mutator.isWhole && events.length !== 1) return "an honest mail gave no event";
  const isOriginal = events.every(
    ({ code, priceEur, formerPriceEur }) =>
      code === original.code &&
      priceEur === original.priceEur &&
      (formerPriceEur === original.formerPriceEur || formerPriceEur === null),
  );
  return isOriginal
    ? undefined
    : `another event: ${JSON.stringify(events.map(({ code, priceEur }) => [code, priceEur]))}`;
}

const all = [...tallies.values()].flatMap(({ times }) => times);
console.table(
  Object.fromEntries(
    [...tallies]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, { times, ...tally }]) => [
        name,
        {
          ...tally,
          "p50 ms": round(quantile(times, 0.5)),
          "p99 ms": round(quantile(times, 0.99)),
          "max ms": round(Math.max(...times)),
        },
      ]),
  ),
);
const wrong = [...tallies.values()].reduce((sum, tally) => sum + tally.wrong, 0);
const slowest = Math.max(...all);
console.table({
  mails: all.length,
  wrong,
  "p50 ms": round(quantile(all, 0.5)),
  "p99 ms": round(quantile(all, 0.99)),
  "max ms": round(slowest),
  "peak MB": Math.round(peakMb),
});
for (const complaint of [...complaints].slice(0, 20)) console.log(complaint);
process.exitCode = wrong === 0 && slowest < MAX_MS && peakMb < MAX_MB ? 0 : 1;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
