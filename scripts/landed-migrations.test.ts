import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  findLandedFaults,
  LANDED_FILE,
  parseChecksums,
  printChecksums,
  readChecksums,
  unlisted,
} from "./landed-migrations.ts";

const text = readFileSync(LANDED_FILE, "utf8");
const landed = parseChecksums(text);

test("ONE-01 landed migrations are unchanged, and new ones run after them (list them with `npm run land`)", async () => {
  expect(printChecksums(landed)).toBe(text);
  expect(landed.length).toBeGreaterThanOrEqual(26);
  expect(findLandedFaults(landed, await readChecksums())).toEqual([]);
});

const landsOn = process.env.GITHUB_REF ?? "";
test.runIf(/^refs\/(?:heads\/main$|tags\/)/.test(landsOn))(
  "ONE-01 on main and in a release every migration is listed as landed (`npm run land`)",
  async () => {
    expect(unlisted(landed, await readChecksums())).toEqual([]);
  },
);

const onMain = spawnSync("git", ["show", `origin/main:${LANDED_FILE}`], { encoding: "utf8" });
test.runIf(onMain.status === 0)(
  "ONE-01 the list of landed migrations only extends that of origin/main",
  () => {
    expect(text.startsWith(onMain.stdout)).toBe(true);
  },
);

const sum = (digit: string) => digit.repeat(64);
const people = { sum: sum("a"), file: "0001_people.sql" };
const pets = { sum: sum("b"), file: "20261118120000_pets.sql" };
const list = [people, pets];

test("ONE-01 a landed migration that was changed, is missing or was renamed is reported", () => {
  expect(findLandedFaults(list, list)).toEqual([]);
  expect(findLandedFaults(list, [{ ...people, sum: sum("c") }, pets])).toEqual([
    "0001_people.sql has landed and was changed: restore it, and write another migration.",
  ]);
  expect(findLandedFaults(list, [pets])).toEqual(["0001_people.sql has landed and is missing: restore it."]);
  expect(findLandedFaults(list, [{ ...people, file: "0001_persons.sql" }, pets])).toEqual([
    "0001_people.sql has landed and is missing: restore it.",
    "0001_persons.sql would run before 20261118120000_pets.sql, which has landed: rename it.",
  ]);
});

test("ONE-01 a new migration is accepted if it runs after all landed ones", () => {
  const later = { sum: sum("d"), file: "20261118120001_toys.sql" };
  expect(findLandedFaults(list, [...list, later])).toEqual([]);
  expect(unlisted(list, [...list, later])).toEqual([later]);
  const earlier = { ...later, file: "20261118115959_toys.sql" };
  expect(findLandedFaults(list, [...list, earlier])).toEqual([
    "20261118115959_toys.sql would run before 20261118120000_pets.sql, which has landed: rename it.",
  ]);
});
