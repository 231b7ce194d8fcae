import { expect } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { holdBack } from "../support/hold-back.ts";
import { signIn, signUp } from "../support/people.ts";
import { collectProblems } from "../support/problems.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

const { finds } = textsIn("de");

test("FIND-01 the first finds are shown before the application is loaded, and the application takes over", async ({
  page,
  baseURL,
}) => {
  const problems = collectProblems(page);
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const codes = newCodes(5);
  await addFinds(
    person,
    codes.map((id, index) => ({
      id,
      priceEur: 1_250,
      minutesAgo: 5 + index,
      street: `Calle de Prueba, ${index}`,
    })),
  );
  await signIn(page, person);
  const letGo = await holdBack(page, /\/assets\/react-.*\.js/);
  await page.goto("/de/finds", { waitUntil: "commit" });
  const early = page.locator("#early-finds");
  for (const place of [0, 1, 2]) await expect(early).toContainText(`Calle de Prueba, ${place}`);
  await expect(early).toContainText(/Schlafzimmer.*Stock, Aufzug/);
  await expect(page.getByRole("main").getByRole("status")).toBeHidden();
  letGo();
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(5);
  await expect(early).toHaveCount(0);
  await expect(page.locator("h1")).toHaveCount(1);
  await cards.first().getByRole("button", { name: finds.actions.keep }).click();
  await expect(cards.first()).toContainText(finds.states.kept);
  expect(problems).toEqual([]);
});
