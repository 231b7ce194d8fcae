import { expect } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { expectSoundLayout } from "../support/layout.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, test } from "../support/visitor.ts";
import { addRule } from "./rule-rows.ts";

const { filter, rules, finds } = textsIn("de");
const PHONE = { width: 390, height: 844 };

const rulesOf = ({ id }: Person) =>
  inDatabase(
    async (sql) => (await sql`select rules, is_folded from searches where user_id = ${id} and is_first`)[0],
  );

test("EASY-02 EASY-07 RULE-02 RULE-03 RULE-04 WORD-04 rules show their effect before they are saved, and what they left out is listed and brought back", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const [search = ""] = await addSearches(person);
  const codes = newCodes(4);
  const homes = codes.map((id, n) => ({ id, priceEur: 200_000, minutesAgo: 9 + n, street: `Calle ${n}` }));
  await addFinds(person, homes, [search]);
  await inDatabase(async (sql) => {
    await sql`
      update watch.portal_listings set card = card || '{"warnings": [{"kind": "auction", "words": "en subasta"}]}'
      where listing_id = any (${codes.slice(0, 2)})`;
    await sql`update watch.portal_listings set words = ' con terraza ' where listing_id = any (${codes})`;
  });
  await signIn(page, person);
  await page.goto(`/de/filter-settings?search=${search}`);
  await page.getByRole("button", { name: filter.folds.rules }).click();
  const effect = (leftOut: number, silent: number) =>
    page.getByText(
      rules.effect
        .replace("{{homes}}", "4")
        .replace("{{leftOut}}", `${leftOut}`)
        .replace("{{silent}}", `${silent}`),
    );
  await expect(page.getByRole("link", { name: rules.seeLeftOut })).toBeVisible();
  // Without rules there is no effect to tell.
  await expect(effect(0, 0)).toHaveCount(0);
  const lineOf = (subject: string) =>
    page.getByRole("radiogroup", { name: rules.choice.replace("{{subject}}", subject) });
  const save = page.getByRole("button", { name: filter.edit.save, exact: true });
  const ofOne = (act: keyof typeof rules.rowEffect, number: number) =>
    page.getByText(rules.rowEffect[act].replace("{{number}}", `${number}`).replace("{{homes}}", "4"));
  await addRule(page, "Versteigerung", rules);
  await expect(lineOf("Versteigerung").getByRole("radio", { name: rules.acts["leave-out"] })).toBeChecked();
  await expect(effect(2, 0)).toBeVisible();
  await expect(ofOne("leave-out", 2)).toBeVisible();
  expect(await rulesOf(person)).toMatchObject({ rules: [] });
  await addRule(page, rules.present, rules);
  const words = page.getByRole("textbox", { name: rules.present });
  await expect(words).toBeFocused();
  await lineOf(rules.present).getByRole("radio", { name: rules.acts.silent }).check();
  await expect(save).toHaveCount(1);
  await save.click();
  await expect(words).toHaveAttribute("aria-invalid", "true");
  await words.fill("Terraza, ático");
  await expect(effect(2, 2)).toBeVisible();
  await expect(ofOne("silent", 4)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await test.step("the bar with Save and Discard on a phone", () => expectSoundLayout(page));
  await save.click();
  await expect(page.getByText(rules.saved.title)).toBeVisible();
  await expect(page.getByRole("button", { name: filter.edit.discard })).toHaveCount(0);
  expect(await rulesOf(person)).toMatchObject({
    rules: [
      { on: "warning", kind: "auction", act: "leave-out" },
      { on: "words", are: "present", words: ["Terraza", "ático"], act: "silent" },
    ],
  });
  await expectNoSidewaysScroll(page);
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  expect(height, "the page with its rules open, on a phone").toBeLessThanOrEqual(1_800);
  await page.getByRole("button", { name: filter.folds.loud }).click();
  await page.getByRole("switch", { name: rules.summary.switch }).click();
  await expect.poll(() => rulesOf(person)).toMatchObject({ is_folded: true });

  // What the watcher writes when the rules leave a home out.
  const [code = ""] = codes;
  await inDatabase(async (sql) => {
    await sql`update listings set search_ids = '{}' where listing_id = ${code}`;
    await sql`
      insert into left_outs (user_id, listing_id, search_id, rule, payload)
      select user_id, ${code}, id, rules -> 0, '{"listing": {}}' from searches where id = ${search}`;
  });
  await page.goto("/de/finds");
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.getByRole("button", { name: finds.states.more, exact: true }).click();
  await page.getByRole("link", { name: finds.chips["left-out"], exact: true }).click();
  const card = page.getByRole("article");
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("Aussortiert: Versteigerung");
  await expect(page.getByText("Aussortiert: 1 heute")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await card.getByRole("button", { name: rules.leftOut.bringBack }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("heading", { name: finds.empty["left-outTitle"] })).toBeVisible();
  await page.getByRole("link", { name: finds.chips.all, exact: true }).click();
  await expect(page.getByRole("article")).toHaveCount(4);
});
