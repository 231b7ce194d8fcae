import { expect, test } from "vitest";
import { missingFactsNotice, operatorOf } from "./operator-settings.ts";

const FACTS = {
  OPERATOR_TAX_NUMBER: "00000000T",
  HOSTING_PROVIDER: "Alojamientos SL, España",
  GOVERNING_LAW: "Derecho español",
  BACKUP_DAYS: 14,
};

test("ROUTE-02 serve names in one line the facts that the legal pages have to leave open", () => {
  const notice = missingFactsNotice({ ...FACTS, GOVERNING_LAW: undefined, BACKUP_DAYS: undefined }) ?? "";
  expect(notice).toMatch(/GOVERNING_LAW, BACKUP_DAYS/);
  expect(notice).not.toMatch(/OPERATOR_TAX_NUMBER|HOSTING_PROVIDER|\n/);
  expect(missingFactsNotice(FACTS)).toBeUndefined();
  expect(missingFactsNotice({})).toMatch(/OPERATOR_TAX_NUMBER/);
  expect(missingFactsNotice({ ROLES: "watcher,bot" })).toBeUndefined();
});

test("ROUTE-02 no fact about the operator is invented", () => {
  const { taxNumber, hostingProvider, governingLaw, backupDays, register } = operatorOf({});
  expect([taxNumber, hostingProvider, governingLaw, backupDays, register]).toEqual(Array(5).fill(undefined));
});
