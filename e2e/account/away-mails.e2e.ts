import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

const language = "es";
const { account, auth } = textsIn(language);

test("RULE-07 the link in a mail switches the mails off without a sign-in, and the profile switches them on again", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana");
  const key = await inDatabase(async (sql) => {
    const [row] = await sql<{ token: string }[]>`
      insert into watch.away_mails (user_id, mailed_at) values (${person.id}, now()) returning stop_token as token`;
    return row?.token ?? "";
  });
  const isOn = () =>
    inDatabase(
      async (sql) =>
        (await sql`select mails_when_away as "isOn" from public.profiles where id = ${person.id}`)[0]?.isOn,
    );
  const path = localizedPath("/stop-mails", language);
  await page.goto(`${path}?key=unknown`);
  await page.getByRole("button", { name: auth.stopMails.submit }).click();
  await expect(page.getByRole("alert")).toContainText(auth.stopMails.unknown);
  await page.goto(`${path}?key=${key}`);
  expect(await isOn()).toBe(true);
  await page.getByRole("button", { name: auth.stopMails.submit }).click();
  await expect(page.getByRole("heading", { name: auth.stopMails.doneTitle })).toBeVisible();
  expect(await isOn()).toBe(false);
  await signIn(page, person);
  await page.goto(localizedPath("/profile", language));
  const mailSwitch = page.getByRole("switch", { name: account.awayMails.switch });
  await expect(mailSwitch).not.toBeChecked();
  await mailSwitch.click();
  await expect.poll(isOn).toBe(true);
});
