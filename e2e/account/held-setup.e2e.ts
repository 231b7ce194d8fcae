// Setup made by someone who signed up with another person's address is held until its owner confirms or removes it.
import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { newClient, type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { resetLinkFor } from "../support/reset-page.ts";
import { messagesOn, newPhone, newToken, press, pressStart, say } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";

/** Gives an account a confirmed chat, a search and a place. Returns the chat id. */
async function setUp(baseURL: string | undefined, person: Person): Promise<number> {
  const phone = await newPhone("Mallory");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  const isConfirmed = () =>
    inDatabase(
      (sql) => sql`select from public.chats where user_id = ${person.id} and confirmed_at is not null`,
    );
  await expect.poll(async () => (await isConfirmed()).length).toBe(1);
  await inDatabase(
    (sql) => sql`
      insert into public.filter_settings (user_id, filter_url, receiver_ids) values (${person.id}, ${SEARCH}, ${[String(phone)]})`,
  );
  await inDatabase(
    (sql) => sql`
      insert into public.own_places (user_id, name, latitude, longitude) values (${person.id}, 'Home', 40.43, -3.7)`,
  );
  return phone;
}

/** The owner of the address sets a password by the link from a mail. Returns the person with the new session. */
async function reset(baseURL: string | undefined, person: Person, link: string): Promise<Person> {
  const client = await newClient(baseURL ?? "");
  const token_hash = /token_hash=([\da-f]+)/.exec(link)?.[1] ?? "";
  const { data } = await client.auth.verifyOtp({ token_hash, type: "recovery" });
  expect((await client.auth.updateUser({ password: "violet-harbour-27" })).error).toBeNull();
  return { ...person, session: JSON.stringify(data.session) };
}

test("READ-10: after a reset by mail the user is asked about the earlier setup, and confirming it gives the chat access again (de)", async ({
  page,
  baseURL,
}) => {
  const {
    health,
    account: { heldSetup: words },
  } = textsIn("de");
  const squatter = await signUp(baseURL ?? "", "Mallory");
  const link = await resetLinkFor(squatter, "de", baseURL);
  const phone = await setUp(baseURL, squatter);
  const owner = await reset(baseURL, squatter, link);
  const lastMessage = async () => (await messagesOn(phone)).at(-1)?.text ?? "";
  await say(phone, "/status");
  await expect.poll(lastMessage).toContain(textsIn("en").health.setupHeld.title);
  await signIn(page, owner);
  await page.goto(localizedPath("/profile", "de"));
  const question = page.getByRole("region", { name: words.question });
  await expect(question).toContainText("Mallory");
  await expect(question).toContainText("Chamberí");
  await expect(question).toContainText("Home");
  await expect(page.getByText(health.setupHeld.title, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await question.getByRole("button", { name: words.yes }).click();
  await expectSuccess(page, words.confirmed);
  await expect(question).toHaveCount(0);
  await expect(page.getByText(health.setupHeld.title, { exact: true })).toHaveCount(0);
  await say(phone, "/status");
  await expect.poll(lastMessage).toContain("Chamberí");
});

test("READ-10: “Remove it all” asks for confirmation and leaves an empty account (en)", async ({
  page,
  baseURL,
}) => {
  const {
    filter,
    account: { heldSetup: words },
  } = textsIn("en");
  const squatter = await signUp(baseURL ?? "", "Mallory");
  const link = await resetLinkFor(squatter, "en", baseURL);
  await setUp(baseURL, squatter);
  await signIn(page, await reset(baseURL, squatter, link));
  await page.goto("/filter-settings");
  const question = page.getByRole("region", { name: words.question });
  await question.getByRole("button", { name: words.remove }).click();
  await question.getByRole("button", { name: words.cancel }).click();
  await question.getByRole("button", { name: words.remove }).click();
  await question.getByRole("button", { name: words.removeNow }).click();
  await expectSuccess(page, words.removed);
  await expect(question).toHaveCount(0);
  await expect(page.getByText(filter.url.question)).toBeVisible();
});
