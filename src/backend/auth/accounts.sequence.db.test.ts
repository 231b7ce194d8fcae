// People, squatters and thieves do everything that an account offers in generated orders, with requests stopped in the
// middle, and each answer is compared with an independent model (test/accounts/model.ts).
import fc from "fast-check";
import { expect, test } from "vitest";
import { startAccountsServer } from "#test/accounts/accounts-server.ts";
import { runSequence } from "#test/accounts/run-sequence.ts";
import { describe, sequences } from "#test/accounts/steps.ts";
import { SEQUENCE_SEED, sequenceRuns } from "#test/seeded.ts";

const RUNS = sequenceRuns(2_000);
/** They share a server with its connections; each waits for locks and mails now and then. */
const LANES = 3;
/** A new database for each lot: tables that only grow make every query slower. */
const LOT = 5_000;

test(`TIME-01 TIME-02 TIME-03 TIME-05 in ${RUNS} sequences only what was not revoked opens, joins, links, changes or hears (seed ${SEQUENCE_SEED})`, async () => {
  const faults: string[] = [];
  for (let begun = 0; begun < RUNS && faults.length === 0; begun += LOT) {
    faults.push(...(await runLot(begun, Math.min(LOT, RUNS - begun))));
  }
  expect(faults.join("\n\n")).toBe("");
}, 4_000_000);

async function runLot(begun: number, runs: number): Promise<string[]> {
  const server = await startAccountsServer();
  let number = 0;
  const property = fc.asyncProperty(sequences, (steps) => {
    number += 1;
    return runSequence(server, number, steps);
  });
  try {
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      fc.check(property, { seed: SEQUENCE_SEED + begun + lane, numRuns: Math.ceil(runs / LANES) }),
    );
    return (await Promise.all(lanes)).flatMap(
      ({ failed, counterexample, errorInstance, seed, counterexamplePath }) =>
        failed
          ? [
              `seed ${seed}, path ${counterexamplePath}\n${describe(counterexample?.[0] ?? [])}\n${String(errorInstance)}`,
            ]
          : [],
    );
  } finally {
    await server.stop();
  }
}
