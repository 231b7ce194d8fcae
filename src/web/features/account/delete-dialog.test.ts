import { expect, test } from "vitest";
import { isConfirmation } from "./delete-dialog.tsx";

test.each([
  ["DELETE", "DELETE"],
  ["  delete ", "DELETE"],
  ["Löschen", "LÖSCHEN"],
  ["LOESCHEN", "LÖSCHEN"],
  ["Lo\u0308schen", "LÖSCHEN"],
  ["удалить", "УДАЛИТЬ"],
])("%s confirms %s", (typed, word) => {
  expect(isConfirmation(typed, word)).toBe(true);
});

test.each([
  ["", "DELETE"],
  ["DELET", "DELETE"],
  ["DELETE!", "DELETE"],
  ["LOSCHEN", "LÖSCHEN"],
])("%s does not confirm %s", (typed, word) => {
  expect(isConfirmation(typed, word)).toBe(false);
});
