// People come, edit, pause, lose and regain their chats and leave, while homes come, go, return and change their prices and the
// portal, Telegram and we have troubles. An independent model (test/quarter/law.ts) knows the portal's true timeline and says of
// each home whether each person was told as the law of coverage requires.
import { expect, test } from "vitest";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { drawQuarter } from "#test/quarter/draw-quarter.ts";
import type { QuarterSize } from "#test/quarter/drawing.ts";
import { explainBreaches, type QuarterReport, tryQuarter } from "#test/quarter/try-quarter.ts";
import { SEQUENCE_SEED, sequenceRuns } from "#test/seeded.ts";

const WEEK: QuarterSize = { days: 7, people: 20, monthlyRequests: 1_000 };
const QUARTERS = sequenceRuns(1);
/** Fewer in half a run. */
const PEOPLE = Math.min(60, sequenceRuns(60));
/** The requests a month by seed, so that a seed alone repeats its quarter. */
const KEYS = [100, 1_000, 100, 1_000, null] as const;
const WEEK_SHRINK_MS = 120_000;
const QUARTER_SHRINK_MS = 1_200_000;

async function breachesOf(seed: number, size: QuarterSize, longestMs: number) {
  const quarter = drawQuarter(seed, size);
  const report = await tryQuarter(quarter);
  const explained = await explainBreaches(quarter, report, longestMs);
  return { report, explained: explained && `seed ${seed}, ${JSON.stringify(size)}\n${explained}` };
}

function rowOf(seed: number, requests: number | null, report: QuarterReport): string {
  const { told, unseen, unwanted } = report.answers;
  const cells = [
    ...[seed, requests ?? "unlimited", report.homes, told, report.answers["left out"]],
    ...[report.answers["summed up"], report.answers["in a gap"], unseen, unwanted, report.breaches.length],
    ...[report.answers["not scanned"], report.slower.length],
    ...[report.requests, report.refused, `${report.seconds} s`],
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The law is of the record of coverage, which has this kind of alert. */
const lawTest = test.runIf("gap" in ALERT_KINDS);

lawTest(
  `COVER-08 in a simulated week each home that fits is told, left out, summed up or inside a told gap (seed ${SEQUENCE_SEED})`,
  {
    timeout: 900_000,
  },
  async () => {
    const { report, explained } = await breachesOf(SEQUENCE_SEED, WEEK, WEEK_SHRINK_MS);
    expect(explained).toBe("");
    expect(report.answers.told).toBeGreaterThan(50);
    expect(report.answers["summed up"]).toBeGreaterThan(0);
    expect(report.answers["left out"]).toBeGreaterThan(0);
  },
);

lawTest(
  `COVER-08 in ${QUARTERS} simulated quarters each home that fits is told, left out, summed up or inside a told gap (from seed ${SEQUENCE_SEED})`,
  {
    tags: "long",
    timeout: 14_400_000,
  },
  async () => {
    const rows: string[] = [];
    const failures: string[] = [];
    for (let n = 0; n < QUARTERS; n++) {
      const seed = SEQUENCE_SEED + n;
      const monthlyRequests = KEYS[seed % KEYS.length] as number | null;
      const { report, explained } = await breachesOf(
        seed,
        { days: 90, people: PEOPLE, monthlyRequests },
        QUARTER_SHRINK_MS,
      );
      rows.push(rowOf(seed, monthlyRequests, report));
      if (explained) failures.push(explained);
    }
    process.stdout.write(`${rows.join("\n")}\n`);
    expect(failures.join("\n\n")).toBe("");
  },
);
