import { expect, type Page } from "@playwright/test";
import { PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/retiro/";

const consent = (page: Page, phone: number) => page.getByRole("button", { name: String(phone) }).click();

test("START-05 the profile connects Telegram after the password, and says what to do with an account that it has (de)", async ({
  page,
  baseURL,
}) => {
  const { account, auth } = textsIn("de");
  const { telegram } = account;
  const phone = await newPhone("Ana");
  const other = await inDatabase(async (sql) => {
    const [entered] = await sql<[{ id: string }]>`
      select user_id as id from private.enter_by_telegram(${phone}, '{"full_name": "Ana"}')`;
    await sql`select private.connect_own_chat(${entered.id}, ${phone}, 'Ana')`;
    await sql`
      insert into searches (user_id, filter_url, receiver_ids) values (${entered.id}, ${SEARCH}, ${[String(phone)]})`;
    return entered.id;
  });
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/de/profile");
  const panel = page.getByRole("region", { name: telegram.title });
  await panel.getByRole("button", { name: telegram.open }).click();
  const field = panel.getByLabel(telegram.password, { exact: true });
  await panel.getByRole("button", { name: telegram.submit }).click();
  await expect(field).toHaveAccessibleDescription(telegram.passwordRequired);
  await field.fill("a wrong one");
  await panel.getByRole("button", { name: telegram.submit }).click();
  await expect(panel.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
  await field.fill(PASSWORD);
  await panel.getByRole("button", { name: telegram.submit }).click();
  await consent(page, phone);

  await expect(page.getByText(auth.telegram.errors.ownAccount)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expect(panel).toContainText(telegram.none);
  const [row] = await inDatabase(
    (sql) => sql`
      select (select count(*)::int from searches where user_id = ${other}) as searches,
        (select user_id from watch.telegram_identities where telegram_id = ${phone}) as owner`,
  );
  expect(row).toEqual({ searches: 1, owner: other });
});

test("START-05 a Telegram user without an account is connected at once, and can be disconnected", async ({
  page,
  baseURL,
}) => {
  const { telegram } = textsIn("en").account;
  const phone = await newPhone("Ben");
  await signIn(page, await signUp(baseURL ?? "", "Ben"));
  await page.goto("/profile");
  const panel = page.getByRole("region", { name: telegram.title });
  await panel.getByRole("button", { name: telegram.open }).click();
  await panel.getByLabel(telegram.password, { exact: true }).fill(PASSWORD);
  await panel.getByRole("button", { name: telegram.submit }).click();
  await consent(page, phone);
  await expect(page).toHaveURL("/profile");
  await expect(panel).toContainText(telegram.linked.replace("{{name}}", "Ben"));

  await panel.getByRole("button", { name: telegram.disconnect }).click();
  await panel.getByLabel(telegram.password, { exact: true }).fill(PASSWORD);
  await panel.getByRole("checkbox", { name: telegram.keepChat }).check();
  await panel.getByRole("button", { name: telegram.confirmDisconnect, exact: true }).click();
  await expectSuccess(page, telegram.disconnected);
  await expect(panel).toContainText(telegram.none);
  await expect(panel.getByRole("button", { name: telegram.open })).toBeFocused();
});
