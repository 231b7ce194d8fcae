// The mail of a sign-up, and its page: what the account is, "Yes, that's me" and "That wasn't me".
import { expect, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { linkIn, signUpMailTo } from "../support/console.ts";
import { newClient, newEmail, PASSWORD, type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone, newToken, press, pressStart } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const filled = (text: string, email: string) => text.replaceAll("{{email}}", email);

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Opens the link of the person's mail in a browser that is not signed in. */
async function openLink(page: Page, { email }: Pick<Person, "email">, language: Language) {
  const { pathname, hash } = new URL(linkIn(await signUpMailTo(email)));
  expect(pathname).toBe("/confirm-email");
  await page.goto(`${localizedPath("/confirm-email", language)}${hash}`);
  const { confirmEmail: words } = textsIn(language).auth;
  await expect(heading(page)).toHaveText(words.question.signup.title);
  await expect(page).toHaveURL(localizedPath("/confirm-email", language));
  return words;
}

const isProved = ({ id }: Pick<Person, "id">) =>
  inDatabase(
    async (sql) => (await sql`select from private.proven_addresses where user_id = ${id}`).length > 0,
  );

test("READ-10 the page says what the account is, and “yes” proves the address and keeps everything (de)", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const phone = await newPhone("Ana");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  await expect
    .poll(() =>
      inDatabase(
        (sql) =>
          sql`select title from public.chats where user_id = ${person.id} and confirmed_at is not null`,
      ),
    )
    .toHaveLength(1);
  const words = await openLink(page, person, "de");
  const main = page.getByRole("main");
  await expect(main).toContainText(person.email);
  await expect(main).toContainText(words.facts.password);
  await expect(main).toContainText("Ana");
  expect(await isProved(person), "opening the page changes nothing").toBe(false);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole("button", { name: words.yes }).click();
  await expect(heading(page)).toHaveText(words.done.signup.title);
  await expect(heading(page)).toBeFocused();
  await expectAccessible(page);
  expect(await isProved(person)).toBe(true);
  await page.goto("/de");
  const { common } = textsIn("de");
  await expect(page.getByRole("button", { name: common.header.openMenu })).toBeVisible();
  const keys = await page.evaluate<string[]>(
    "Object.keys(localStorage).filter((key) => key.startsWith('sb-'))",
  );
  expect(keys, "no link signs anybody in").toEqual([]);
});

test("READ-10 “that wasn't me” asks once more, and deletes the account (en)", async ({ page, baseURL }) => {
  const person = await signUp(baseURL ?? "", "Mallory");
  const words = await openLink(page, person, "en");
  await page.getByRole("button", { name: words.no }).click();
  await expect(heading(page)).toHaveText(words.sure.title);
  await expectAccessible(page);
  await page.getByRole("button", { name: words.sure.back }).click();
  await expect(heading(page)).toHaveText(words.question.signup.title);
  await page.getByRole("button", { name: words.no }).click();
  await page.getByRole("button", { name: words.sure.submit }).click();
  await expect(heading(page)).toHaveText(words.done.deleted.title);
  expect(await inDatabase((sql) => sql`select from auth.users where id = ${person.id}`)).toHaveLength(0);

  await page.goto("about:blank");
  await page.goto(linkIn(await signUpMailTo(person.email)));
  await expect(page.getByRole("alert")).toContainText(words.problem.expired);
});

test("READ-10 until the address is proved one line on the profile offers the mail again (fr)", async ({
  page,
  baseURL,
}) => {
  const email = newEmail();
  const client = await newClient(baseURL ?? "");
  const { data } = await client.auth.signUp({ email, password: PASSWORD });
  const person = { id: data.user?.id ?? "", email };
  await signIn(page, { session: JSON.stringify(data.session) });
  await page.goto("/fr/profile");
  const { account } = textsIn("fr");
  const { unproved } = account.email;
  const details = page.getByRole("region", { name: account.details.title });
  await expect(details).toContainText(unproved.text);
  await expectAccessible(page);
  const again = details.getByRole("button", { name: unproved.send });
  await again.click();
  await expect(details.getByRole("alert")).toContainText("60");
  await inDatabase((sql) => sql`delete from private.guard_allowances`);
  await again.click();
  await expectSuccess(page, {
    title: unproved.success.title,
    description: filled(unproved.success.description, email),
  });
  const token_hash = /token_hash=([\da-f]{64})/.exec((await signUpMailTo(email, 1)).text)?.[1] ?? "";
  expect((await client.auth.verifyOtp({ token_hash, type: "signup" })).error).toBeNull();
  expect(await isProved(person)).toBe(true);
  await page.reload();
  await expect(details).toContainText(email);
  await expect(details.getByText(unproved.text)).toHaveCount(0);
});
