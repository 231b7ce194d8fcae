import { readFile } from "node:fs/promises";
import { alertMailsIn, askToForward, receiveMail, spendRenewals, tokenOf } from "../support/alert-mails.ts";
import { mailTo, postToConsole } from "../support/console.ts";
import { ageSearches, expect, openEditForm, openWizard } from "../support/filter-page.ts";
import { messagesOn, newPhone, pressStart } from "../support/telegram.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
} from "../support/visitor.ts";

/** Live updates can be slow while three other browsers run. */
const LIVE = { timeout: 60_000 };

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("MAIL-03 MAIL-07 MAIL-02 on a phone, a day after the first search, its page shows the address to copy, Gmail's question, the first mail and why a mail was not used", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { person, form } = await openEditForm(page, baseURL, { language: "de" });
  const mail = alertMailsIn(page, "de");
  const { texts } = mail;
  await expect(form.fold(form.texts.folds.details)).toBeVisible();
  await expect(mail.fold).toHaveCount(0);
  await ageSearches(person);
  await mail.fold.click();
  await page.getByRole("button", { name: texts.mailed.button }).click();
  await expectSuccess(page, {
    title: texts.mailed.sent.title,
    description: texts.mailed.sent.description.replace("{{email}}", person.email),
  });
  expect((await mailTo(person.email)).text).toContain("/filter-settings#alert-mails");
  // The link in that mail opens the part.
  await page.goto("/robots.txt");
  await page.goto(`${form.path}#alert-mails`);
  await mail.begin.click();
  await expect(mail.address).toBeVisible();
  const address = `${await tokenOf(person)}@${(await configOf(baseURL)).mailDomain}`;
  await expect(mail.address).toHaveText(address);
  await expect(mail.card).toContainText(texts.question.waiting);
  await expect(mail.card).toContainText(texts.noAlerts.chat);

  await mail.copy(texts.address.label).click();
  await expect(mail.card.getByRole("status").filter({ hasText: texts.copy.done })).toHaveCount(1);
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(address);
  const downloading = page.waitForEvent("download");
  await mail.card.getByRole("button", { name: texts.forward.download }).click();
  const filter = await readFile(await (await downloading).path(), "utf8");
  expect(filter).toContain(`<apps:property name="forwardTo" value="${address}"/>`);

  // Gmail's question switches back from the tab for other mailboxes.
  await mail.card.getByRole("tab", { name: texts.forward.other }).click();
  await expect(mail.card).toContainText("noresponder@idealista.com");
  await askToForward(person);
  await expect(mail.code).toHaveText("482915036", LIVE);
  await expect(mail.card.getByRole("link", { name: texts.question.link })).toHaveAttribute(
    "href",
    "https://mail-settings.google.com/mail/vf-abc",
  );
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await receiveMail(person, { outcome: "alert", portal: "idealista.com", listingCount: 1, newCount: 1 });
  await expect(mail.card.getByRole("status").filter({ hasText: texts.first.arrived })).toBeVisible(LIVE);
  await expect(mail.code).toHaveCount(0);
  await expect(mail.fold).toContainText(texts.states.working);
  await receiveMail(person, { outcome: "not-signed", why: "no signature of idealista.com" });
  await expect(mail.mails.getByRole("listitem").first()).toContainText(texts.advice["not-signed"], LIVE);
  await expect(mail.fold).toContainText(texts.states.trouble);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("MAIL-03 a new address needs confirmation, replaces the old one and is limited to ten a day", {
  tag: "@long",
}, async ({ page, baseURL, outage }) => {
  await outage.begin({ path: "/rest/v1/mail_addresses", status: 500 });
  const { person } = await openEditForm(page, baseURL);
  await ageSearches(person);
  const mail = alertMailsIn(page, "en");
  const { texts } = mail;
  await mail.fold.click();
  await expect(mail.card).toContainText(texts.unavailable);
  await outage.end();
  await mail.card.getByRole("button", { name: texts.retry }).click();
  await outage.begin({ path: "/rest/v1/rpc/renew_mail_address" });
  await mail.begin.click();
  await expectDestructive(page, texts.address.failed);
  await outage.end();
  await mail.begin.click();
  await expect(mail.address).toContainText(/^[0-9a-f]{32}@/);
  const first = await mail.address.innerText();
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('closed'))");
  await mail.copy(texts.address.label).click();
  await expect(mail.card).toContainText(texts.copy.failed);
  expect(await page.evaluate("String(getSelection())")).toBe(first);

  await receiveMail(person, { outcome: "alert", portal: "idealista.com", listingCount: 2, newCount: 0 });
  await expect(mail.mails).toContainText(texts.mails.nothingNew, LIVE);
  const renew = mail.card.getByRole("button", { name: texts.address.renew, exact: true });
  const dialog = page.getByRole("alertdialog");
  await renew.click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: texts.address.dialog.keep }).first().click();
  await expect(dialog).toHaveCount(0);
  await expect(mail.address).toHaveText(first);
  await renew.click();
  await dialog.getByRole("button", { name: texts.address.dialog.confirm }).click();
  await expectSuccess(page, texts.address.renewed);
  await expect(mail.address).not.toHaveText(first);
  const second = await mail.address.innerText();
  expect(second).toContain(await tokenOf(person));
  // Mails to the old address do not count for the new one.
  await expect(mail.fold).toContainText(texts.states.waiting);

  await spendRenewals(person);
  await renew.click();
  await dialog.getByRole("button", { name: texts.address.dialog.confirm }).click();
  await expectDestructive(page, texts.address.tooMany);
  await page.keyboard.press("Escape");
  await expect(renew).toBeFocused();
  await expect(mail.address).toHaveText(second);
});

test("MAIL-03 without a mail domain no address is offered, and mails read from a mailbox are still listed", async ({
  page,
  baseURL,
}) => {
  const config = { ...(await configOf(baseURL)), mailDomain: null };
  await page.route("**/config.json", (route) => route.fulfill({ json: config }));
  const { person, form } = await openEditForm(page, baseURL);
  const mail = alertMailsIn(page, "en");
  await expect(form.watch).toBeVisible();
  await receiveMail(person, { outcome: "unreadable", portal: "fotocasa", why: "more than one price" });
  await page.reload();
  await form.fold(mail.texts.mails.title).click();
  const list = page.getByRole("list", { name: mail.texts.mails.title });
  await expect(list).toContainText(mail.texts.advice.unreadable);
  await expect(mail.card).toHaveCount(0);
});

test("MAIL-06 MAIL-07 a new user copies the address, gets Gmail's code, the first mail and an alert in the chat", async ({
  page,
  baseURL,
}) => {
  const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/";
  const { person, form } = await openWizard(page, baseURL);
  const mail = alertMailsIn(page, "en");
  const { texts } = mail;
  await form.url.fill(SEARCH);
  await form.next.click();
  const link = page.getByRole("link", { name: form.texts.connect.button });
  await expect(link).toHaveAttribute("href", /start=/);
  const phone = await newPhone("Ana");
  await pressStart(phone, new URL((await link.getAttribute("href")) ?? "").searchParams.get("start") ?? "");
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();
  await ageSearches(person);
  await mail.fold.click();
  await mail.begin.click();
  await expect(mail.address).toBeVisible();
  await mail.copy(texts.address.label).click();
  await expect(mail.card.getByRole("status").filter({ hasText: texts.copy.done })).toHaveCount(1);
  const email = String(await page.evaluate("navigator.clipboard.readText()"));

  const { code } = await postToConsole<{ code: string }>("mail/forwarding-question", { email });
  await expect(mail.code).toHaveText(code);
  await expect
    .poll(async () => (await messagesOn(phone)).some(({ text }) => text?.includes(code)), LIVE)
    .toBe(true);

  await postToConsole("portal/saved-searches", { url: SEARCH, email });
  const {
    listings: [published],
  } = await postToConsole<{ listings: { code: string }[] }>("portal/listings", { url: SEARCH });
  await expect(mail.card.getByRole("status").filter({ hasText: texts.first.arrived })).toBeVisible(LIVE);
  await expect(mail.code).toHaveCount(0);
  const alerts = async () =>
    (await messagesOn(phone)).filter((message) =>
      JSON.stringify(message).includes(`/inmueble/${published?.code}/`),
    );
  await expect.poll(async () => (await alerts()).length, LIVE).toBe(1);
});

async function configOf(baseURL: string | undefined): Promise<{ mailDomain: string | null }> {
  return (await fetch(`${baseURL}/config.json`)).json() as Promise<{ mailDomain: string | null }>;
}
