import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { newClient, PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
  toastsOn,
} from "../support/visitor.ts";

test("ROUTE-06 PROF-01 PROF-02 the profile shows name and email and offers to set up a search, and the name can be changed (en)", async ({
  page,
  baseURL,
}) => {
  const { account } = textsIn("en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(account.page.title);
  const details = page.getByRole("region", { name: account.details.title });
  await expect(details).toContainText("Ana García");
  await expect(details).toContainText(person.email);
  const panel = page.getByRole("region", { name: account.filter.title });
  await expect(panel).toContainText(account.filter.none);
  await expect(panel).toContainText(account.filter.notConfigured);
  for (const link of [
    panel.getByRole("link", { name: account.filter.setUp, exact: true }),
    panel.getByRole("link", { name: account.filter.setUpButton }),
  ]) {
    await expect(link).toHaveAttribute("href", "/filter-settings");
  }
  await details.getByRole("button", { name: account.name.edit }).click();
  const field = details.getByLabel(account.name.label);
  await expect(field).toBeFocused();
  await field.fill("  ");
  await details.getByRole("button", { name: account.name.save }).click();
  await expect(field).toHaveAccessibleDescription(account.name.required);
  await expectAccessible(page);
  await field.fill(" Ana María Ñúñez ");
  await details.getByRole("button", { name: account.name.save }).click();
  await expectSuccess(page, {
    title: account.name.success.title,
    description: account.name.success.description.replace("{{name}}", "Ana María Ñúñez"),
  });
  await expect(details).toContainText("Ana María Ñúñez");
  await expect(details.getByRole("button", { name: account.name.edit })).toBeFocused();
  await expect(page.getByRole("banner").getByRole("button", { name: /Ana María Ñúñez/ })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

test('PROF-01 PROF-02 the profile shows the filter as active, changes the alert language, exports the data and shows a missing name as "Not provided" (de)', async ({
  page,
  baseURL,
  outage,
}) => {
  const { account } = textsIn("de");
  const filterSettings = localizedPath("/filter-settings", "de");
  const person = await signUp(baseURL ?? "", "Ana García");
  await inDatabase(
    (sql) => sql`insert into filter_settings (user_id, filter_url, receiver_ids)
    values (${person.id}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', '{123456789}')`,
  );
  await signIn(page, person);
  await page.goto("/de/profile");
  const panel = page.getByRole("region", { name: account.filter.title });
  await expect(panel.getByText(account.filter.active, { exact: true })).toBeVisible();
  await expect(panel.getByRole("link", { name: account.filter.manage, exact: true })).toHaveAttribute(
    "href",
    filterSettings,
  );
  await panel.getByRole("link", { name: account.filter.manageButton }).click();
  await expect(page).toHaveURL(filterSettings);
  await page.goBack();

  const choice = page.getByRole("combobox", { name: account.alertLanguage.title });
  await expect(choice).toHaveValue("de");
  await expectAccessible(page);
  await choice.selectOption("ru");
  await expectSuccess(page, {
    title: account.alertLanguage.success.title,
    description: account.alertLanguage.success.description.replace("{{language}}", "Russisch"),
  });

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: account.export.submit }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^${account.export.fileName}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
  );
  const content = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(content.account).toMatchObject({ id: person.id, email: person.email, full_name: "Ana García" });
  await expectSuccess(page, account.export.success);

  await inDatabase((sql) => sql`update profiles set full_name = null, email = null where id = ${person.id}`);
  await page.reload();
  await expect(choice).toHaveValue("ru");
  const values = page.getByRole("region", { name: account.details.title }).locator("dd");
  await expect(values.nth(0)).toContainText(account.details.notProvided);
  await expect(values.nth(1)).toContainText(account.details.notProvided);

  await outage.begin({ method: "PATCH", path: "/rest/v1/profiles", status: 500 });
  await choice.selectOption("fr");
  await expectDestructive(page, account.alertLanguage.failure);
  await expect(choice).toHaveValue("ru");
  await outage.begin({ path: "/rest/v1/rpc/export_my_data" });
  await page.getByRole("button", { name: account.export.submit }).click();
  await expectDestructive(page, account.export.failure);
  await outage.begin({ path: "/rest/v1/rpc/delete_my_account" });
  await page.getByRole("region", { name: account.delete.title }).getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  await dialog.getByLabel(account.delete.dialog.password, { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: account.delete.dialog.submit }).click();
  const { title, description } = account.delete.failure;
  await expect(dialog.getByRole("alert")).toHaveText(`${title}${description}`);
  await expect(page).toHaveURL("/de/profile");
});

test("deleting the account requires a typed word and the password, and removes all its rows (en)", async ({
  page,
  context,
  baseURL,
}) => {
  const { account, auth } = textsIn("en");
  const profile = localizedPath("/profile", "en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const other = await context.newPage();
  await other.goto("/terms");
  await expect(other.getByRole("button", { name: /Ana García/ })).toBeVisible();
  await page.goto(profile);
  const open = page.getByRole("region", { name: account.delete.title }).getByRole("button");
  await open.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAccessibleName(account.delete.dialog.title);
  await expectAccessible(page);
  const word = dialog.getByLabel(account.delete.dialog.label);
  const submit = dialog.getByRole("button", { name: account.delete.dialog.submit });
  await word.fill("no");
  await submit.click();
  await expect(word).toHaveAccessibleDescription(
    account.delete.dialog.mismatch.replace("{{word}}", account.delete.dialog.word),
  );
  await dialog.getByRole("button", { name: account.delete.dialog.cancel }).last().click();
  await expect(open).toBeFocused();
  await open.click();
  await word.fill("delete ");
  const password = dialog.getByLabel(account.delete.dialog.password, { exact: true });
  await submit.click();
  await expect(password).toHaveAccessibleDescription(account.delete.dialog.passwordRequired);
  await password.fill("not the password");
  await submit.click();
  await expect(dialog.getByRole("alert")).toContainText(auth.errors.codes.current_password_invalid);
  await expectAccessible(page);
  await password.fill(PASSWORD);
  await submit.click();
  await expectSuccess(page, account.delete.success);
  await expect(page).toHaveURL(localizedPath("/", "en"));
  expect(toastsOn(page).filter(({ type }) => type === "error")).toEqual([]);
  await expect(other.getByRole("banner").getByRole("button", { name: "Sign in" })).toBeVisible();

  const rows = await inDatabase(
    (sql) => sql`select id from auth.users where id = ${person.id}
    union all select id from profiles where id = ${person.id}
    union all select id from auth.sessions where user_id = ${person.id}`,
  );
  expect(rows).toEqual([]);
  const client = await newClient(baseURL ?? "");
  const again = await client.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  expect(again.error?.code).toBe("invalid_credentials");
});

test("if the profile cannot be loaded, errors with a retry button are shown (en)", { tag: "@long" }, async ({
  page,
  baseURL,
  outage,
}) => {
  const { account } = textsIn("en");
  const profile = localizedPath("/profile", "en");
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await outage.begin({ path: "/rest/v1/profiles", status: 500 });
  await outage.begin({ path: "/rest/v1/searches", status: 500 });
  await page.goto(profile);
  for (const message of [account.errors.loadProfile, account.errors.loadFilter]) {
    await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
  }
  await expectAccessible(page);
  await outage.end();
  await page
    .getByRole("alert")
    .filter({ hasText: account.errors.loadProfile })
    .getByRole("button", { name: account.errors.retry })
    .click();
  await expect(page.getByRole("region", { name: account.details.title })).toContainText("Ana García");
});
