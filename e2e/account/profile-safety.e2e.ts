import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { newClient, PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectSuccess, test } from "../support/visitor.ts";

function sessionIdIn(session: string): string {
  const [, payload = ""] = (JSON.parse(session) as { access_token: string }).access_token.split(".");
  return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { session_id: string }).session_id;
}

test("DOOR-09 the profile lists the user's sessions and can end a single one, or all but this one (de)", async ({
  page,
  baseURL,
}) => {
  const { account } = textsIn("de");
  const profile = localizedPath("/profile", "de");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const elsewhere = await newClient(baseURL ?? "");
  await elsewhere.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  await inDatabase(
    (sql) => sql`update auth.sessions set user_agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1'
    where user_id = ${person.id} and id <> ${sessionIdIn(person.session)}`,
  );
  await page.goto(profile);
  const panel = page.getByRole("region", { name: account.sessions.title });
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(account.sessions.current);
  const phone = account.sessions.device.replace("{{browser}}", "Safari").replace("{{system}}", "iPhone");
  await expect(rows.nth(1)).toContainText(phone);
  await expectAccessible(page);
  await rows
    .nth(1)
    .getByRole("button", { name: account.sessions.endLabel.replace("{{device}}", phone) })
    .click();
  await expectSuccess(page, {
    title: account.sessions.ended.title,
    description: account.sessions.ended.description.replace("{{device}}", phone),
  });
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("region", { name: account.activity.title })).toContainText(
    account.activity.kinds.session_ended,
  );
  expect((await elsewhere.auth.refreshSession()).error).not.toBeNull();

  await elsewhere.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  await page.reload();
  await page.getByRole("button", { name: account.sessions.signOutOthers }).click();
  await expectSuccess(page, account.sessions.success);
  expect((await elsewhere.auth.refreshSession()).error).not.toBeNull();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(account.page.title);
});

test("READ-07: the profile shows recent activity with browser and count, and /profile#sessions scrolls to the sessions (ru)", async ({
  page,
  baseURL,
}) => {
  const { account } = textsIn("ru");
  const person = await signUp(baseURL ?? "", "Ana García");
  await inDatabase(
    (sql) => sql`
      insert into private.security_events (user_id, kind, browser, platform, times, began_at, happened_at)
      select ${person.id}, kind, 'Firefox', 'Windows', times, at, at
      from generate_series(1, 4) as day, (values ('wrong_password', 3), ('sign_in', 1)) as seen (kind, times),
        lateral (select now() + day * interval '1 day' + times * interval '1 minute' as at) as moment`,
  );
  await signIn(page, person);
  await page.goto(`${localizedPath("/profile", "ru")}#sessions`);
  await expect(page.getByRole("heading", { name: account.sessions.title })).toBeInViewport();
  const panel = page.getByRole("region", { name: account.activity.title });
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveCount(6);
  await expect(rows.first()).toContainText(account.activity.kinds.wrong_password);
  await expect(rows.first()).toContainText(account.activity.times_few.replace("{{count}}", "3"));
  await expect(rows.first()).toContainText("Firefox на Windows");
  await panel.getByRole("button", { name: account.activity.showAll }).click();
  await expect(rows.nth(7)).toContainText(account.activity.kinds.sign_in);
  await expect(rows.nth(6)).toBeFocused();
  await expectAccessible(page);
});

test("DOOR-08 changing the password requires the current one, and a refusal says why (en)", async ({
  page,
  baseURL,
}) => {
  const { account, auth } = textsIn("en");
  const profile = localizedPath("/profile", "en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const elsewhere = await newClient(baseURL ?? "");
  await elsewhere.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  await page.goto(profile);
  const panel = page.getByRole("region", { name: account.password.title });
  await panel.getByRole("button", { name: account.password.open }).click();
  const field = (label: string) => panel.getByLabel(label, { exact: true });
  const save = panel.getByRole("button", { name: account.password.save });
  await expect(field(account.password.current)).toBeFocused();
  await save.click();
  await expect(field(account.password.current)).toHaveAccessibleDescription(account.password.currentRequired);
  await expect(field(account.password.new)).toHaveAccessibleDescription(account.password.newRequired);
  await expectAccessible(page);
  await field(account.password.current).fill("not the password");
  await field(account.password.new).fill("violet harbour");
  await field(account.password.confirm).fill("violet harbor");
  await save.click();
  await expect(field(account.password.confirm)).toHaveAccessibleDescription(account.password.mismatch);
  await field(account.password.confirm).fill("violet harbour");
  await save.click();
  await expect(panel.getByRole("alert")).toHaveText(
    `${account.password.failure.title}${auth.errors.codes.current_password_invalid}`,
  );
  await field(account.password.current).fill(PASSWORD);
  await field(account.password.new).fill("iloveyou");
  await field(account.password.confirm).fill("iloveyou");
  await save.click();
  await expect(panel.getByRole("alert")).toContainText(auth.weakPassword.reasons.common);
  await field(account.password.new).fill("violet harbour");
  await field(account.password.confirm).fill("violet harbour");
  await save.click();
  await expectSuccess(page, account.password.success);
  await expect(panel.getByRole("button", { name: account.password.open })).toBeFocused();
  expect((await elsewhere.auth.refreshSession()).error).not.toBeNull();
  const again = await newClient(baseURL ?? "");
  const fresh = await again.auth.signInWithPassword({ email: person.email, password: "violet harbour" });
  expect(fresh.error).toBeNull();
});

test("DOOR-08 a user without a password must confirm with Google before setting one or deleting the account (de)", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { account } = textsIn("de");
  const profile = localizedPath("/profile", "de");
  const person = await signUp(baseURL ?? "", "Ana García");
  await inDatabase((sql) => sql`update auth.users set encrypted_password = null where id = ${person.id}`);
  await signIn(page, person);
  await page.goto(profile);
  const panel = page.getByRole("region", { name: account.password.title });
  await expect(panel).toContainText(account.password.none);
  await panel.getByRole("button", { name: account.password.openNone }).click();
  await expect(panel.getByLabel(account.password.current, { exact: true })).toHaveCount(0);
  await panel.getByLabel(account.password.new, { exact: true }).fill("violet harbour");
  await panel.getByLabel(account.password.confirm, { exact: true }).fill("violet harbour");
  await panel.getByRole("button", { name: account.password.save }).click();
  await expect(panel.getByRole("alert")).toContainText(
    account.confirm.prompt.replace("{{provider}}", "Google"),
  );
  await expectAccessible(page);
  await page.getByRole("region", { name: account.delete.title }).getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  await dialog.getByRole("button", { name: account.delete.dialog.submit }).click();
  await dialog
    .getByRole("button", { name: account.confirm.button.replace("{{provider}}", "Google") })
    .click();
  await expect(page).not.toHaveURL(profile);
});
