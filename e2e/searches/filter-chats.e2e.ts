import { expect, filterOf, MADRID, openEditForm, openWizard } from "../support/filter-page.ts";
import { inDatabase } from "../support/product-database.ts";
import {
  block,
  joinGroup,
  messagesOn,
  newPhone,
  newToken,
  press,
  pressStart,
  removeBot,
  unblock,
} from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectDestructive, expectSuccess, test } from "../support/visitor.ts";

test("WIZ-03 TRUE-03 DOOR-05 a personal link connects a chat with one tap, and the wizard moves on by itself (es)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openWizard(page, baseURL, "es");
  const { connect, chats, states } = form.texts;
  await form.url.fill(MADRID);
  await form.next.click();
  const button = page.getByRole("link", { name: connect.button });
  const start = /\/t\.me\/SerenoSimulatedBot\?start=([\w-]{22})$/;
  await expect(button).toHaveAttribute("href", start);
  const token = start.exec((await button.getAttribute("href")) ?? "")?.[1] ?? "";
  await expect(page.getByRole("link", { name: connect.group })).toHaveAttribute(
    "href",
    new RegExp(`\\?startgroup=${token}$`),
  );
  await expect(page.getByRole("img", { name: connect.qr })).toBeVisible();
  const owner = await inDatabase(
    (sql) => sql`
    select user_id from watch.link_tokens where token_hash = sha256(convert_to(${token}, 'UTF8'))`,
  );
  expect(owner[0]).toEqual({ user_id: person.id });
  await expectAccessible(page);

  const first = await newPhone("Ana");
  await pressStart(first, token);
  // The wizard moves on by itself, but not again after going back.
  await expect(form.question).toHaveText(form.texts.review.question);
  await expect(form.question).toBeFocused();
  const name = chats.unconfirmed.replace("{{digits}}", String(first).slice(-4));
  await expect(page.getByRole("status").getByText(chats.arrived.replace("{{name}}", name))).toBeVisible();
  // The name replaces it as soon as the chat says “that's me”: here, and below in the list.
  await expect(page.getByText(form.texts.advice.unconfirmed).first()).toBeVisible();
  await page.goBack();
  await expect(form.ids).toHaveValue(String(first));
  await expect(form.chats).toContainText(chats.unconfirmed.replace("{{digits}}", String(first).slice(-4)));
  await expect(form.chats).toContainText(states.connected);
  await expect(form.chats).toContainText(form.texts.advice.unconfirmed);
  await expect(form.chats).not.toContainText("Ana");
  await expect(form.chats).not.toContainText(chats.kinds.private);
  await expectAccessible(page);
  await press(first, "That's me");
  await expect(form.chats).toContainText("Ana");
  await expect(form.chats).toContainText(chats.kinds.private);
  // The token is used up: the next chat gets another.
  await page.getByRole("button", { name: connect.another }).click();
  await expect(button).toHaveAttribute("href", start);
  const next = start.exec((await button.getAttribute("href")) ?? "")?.[1] ?? "";
  expect(next).not.toBe(token);
  const group = await joinGroup(first, "Piso en Madrid", next);
  await expect(form.ids).toHaveValue(`${first}, ${group}`);
  await expect(form.chats).toContainText(chats.kinds.group);
  await expect(form.question).toHaveText(chats.question);
  await page.getByRole("button", { name: chats.removeNamed.replace("{{name}}", "Ana") }).click();
  await expect(form.ids).toHaveValue(String(group));
  await form.toReview.click();
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: [String(group)] });
});

test("on a phone there is no QR code, and opening the link shows that the page waits for Start", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  const { connect } = form.texts;
  const button = page.getByRole("link", { name: connect.button });
  await expect(button).toBeVisible();
  await expect(page.getByRole("img", { name: connect.qr })).toHaveCount(0);
  const opening = page.waitForEvent("popup");
  await button.click();
  await (await opening).close();
  await expect(page.getByText(connect.waiting)).toBeVisible();
});

test("the link is renewed before it expires, at most thirty times an hour", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  await page.clock.install();
  const { person, form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  const { connect } = form.texts;
  const button = page.getByRole("link", { name: connect.button });
  await expect(button).toBeVisible();
  const before = (await button.getAttribute("href")) ?? "";
  await page.clock.runFor("13:30");
  await expect(button).not.toHaveAttribute("href", before);
  await inDatabase(
    (sql) => sql`
    insert into watch.link_tokens (token_hash, user_id, expires_at)
    select sha256(convert_to(${person.id} || n, 'UTF8')), ${person.id}, now() from generate_series(1, 30) as n`,
  );
  await page.reload();
  await expect(page.getByRole("alert")).toContainText(connect.tooMany);
  await form.ids.fill("5");
  await form.toReview.click();
  await expect(form.save).toBeVisible();
});

test("DOOR-05 a chat that the bot adds to the saved filter is named once it says “that's me”, counts as saved and joins the unsaved input", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  const [ana, bruno] = [await newPhone("Ana"), await newPhone("Bruno")];
  await form.fold(form.texts.chats.list).click();
  await pressStart(ana, await newToken(baseURL, person));
  await expect(form.ids).toHaveValue(`501, ${ana}`);
  await expect(form.chats).toContainText(
    form.texts.chats.unconfirmed.replace("{{digits}}", String(ana).slice(-4)),
  );
  await expect(form.saveChanges).toBeDisabled();
  // The card shows the name as soon as the chat has said “that's me”, and until then how to.
  await expect(form.watch).toContainText(form.texts.advice.unconfirmed);
  await press(ana, "That's me");
  await expect(form.watch).toContainText("Ana");
  await expect(form.watch).not.toContainText(form.texts.advice.unconfirmed);
  await form.ids.fill(`501, ${ana}, 77`);
  await pressStart(bruno, await newToken(baseURL, person));
  await expect(form.ids).toHaveValue(`501, ${ana}, 77, ${bruno}`);
  await form.saveChanges.click();
  await expect(form.saveChanges).toBeDisabled();
  expect(await filterOf(person)).toMatchObject({ ids: ["501", `${ana}`, "77", `${bruno}`] });
});

test("BOT-03 each chat shows its current state and what to do about it, without a reload (ru)", async ({
  page,
  baseURL,
}) => {
  const stranger = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
  const asked = await newPhone("Olga", { isStarted: true });
  const { person, form } = await openEditForm(page, baseURL, {
    language: "ru",
    ids: [String(stranger), String(asked)],
  });
  const { states, advice } = form.texts;
  await form.fold(form.texts.chats.list).click();
  const shows = async (name: string | RegExp, state: string, next?: string) => {
    const chat = form.chats.getByRole("listitem").filter({ hasText: name });
    await expect(chat).toContainText(state);
    if (next) await expect(chat).toContainText(next.replaceAll("{{bot}}", "SerenoSimulatedBot"));
  };
  await shows(String(stranger), states.notFound, advice["not-found"]);
  await shows(String(asked), states.waiting, advice.waiting);
  await press(asked, "No");
  await shows(String(asked), states.declined, advice["said-no"]);

  const phone = await newPhone("Ana");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  await shows("Ana", states.connected);
  await block(phone);
  await shows("Ana", states.blocked, advice.blocked);
  await unblock(phone);
  await shows("Ana", states.connected);

  const group = await joinGroup(phone, "Piso en Madrid", await newToken(baseURL, person));
  await shows("Piso en Madrid", states.connected);
  await removeBot(group, phone);
  await shows("Piso en Madrid", states.unreachable, advice.kicked);
  await expectAccessible(page);
});

test("RULE-05 what a chat receives is saved at once, and shown after a reload and after a change in the chat", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  const { chats } = form.texts;
  const phone = await newPhone("Ana");
  await form.fold(chats.list).click();
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  const choice = form.chats
    .getByRole("listitem")
    .filter({ hasText: "Ana" })
    .getByLabel(chats.receives.label, { exact: true });
  const savedAs = (receives: string) =>
    expect
      .poll(() =>
        inDatabase(async (sql) => [
          ...(await sql`select receives from chats where user_id = ${person.id} and chat_id = ${phone}`),
        ]),
      )
      .toEqual([{ receives }]);
  await expect(choice).toHaveValue("everything");
  for (const receives of ["kept", "kept-by-two"]) {
    await choice.selectOption(receives);
    await savedAs(receives);
    await page.reload();
    await form.fold(chats.list).click();
    await expect(choice).toHaveValue(receives);
  }
  await inDatabase(
    (sql) =>
      sql`update chats set receives = 'everything' where user_id = ${person.id} and chat_id = ${phone}`,
  );
  await expect(choice).toHaveValue("everything");
  await expectAccessible(page);
});

test("a test message can be sent to a connected chat, up to three an hour (en)", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL, { language: "en" });
  const { test: words } = form.texts;
  await form.fold(form.texts.chats.list).click();
  const texts = [textsIn("en").alert.test, textsIn("en").alert.test];
  const send = page.getByRole("button", { name: words.sendTo.replace("{{name}}", "Ana") });
  await expect(form.chats).toBeVisible();
  await expect(send).toHaveCount(0);
  const phone = await newPhone("Ana");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  // The watch has also started and may send messages in between.
  const testsOn = async () =>
    (await messagesOn(phone)).filter(({ text }) => texts.some((word) => text?.includes(word))).length;
  for (const count of [1, 2, 3]) {
    await send.click();
    await expect.poll(testsOn).toBe(count);
  }
  await expectSuccess(page, {
    title: words.success.title,
    description: words.success.description.replace("{{name}}", "Ana"),
  });
  await send.click();
  await expectDestructive(page, words.tooMany);
  await block(phone);
  await expect(send).toHaveCount(0);
});

test("DOOR-05 a typed chat ID shows a state but never a name, the chat is asked at once, and “Not me” declines (de)", async ({
  page,
  baseURL,
}) => {
  const phone = await newPhone("Wilhelmina");
  await pressStart(phone, "");
  await expect.poll(async () => (await messagesOn(phone)).length).toBe(2);
  const { form } = await openEditForm(page, baseURL, { language: "de", ids: [String(phone)] });
  const { chats, states, advice } = form.texts;
  await form.fold(form.texts.chats.list).click();
  const digits = String(phone).slice(-4);
  await expect(form.chats).toContainText(chats.unconfirmed.replace("{{digits}}", digits));
  await expect(form.chats).toContainText(states.connected);
  await expect(page.getByText("Wilhelmina")).toHaveCount(0);
  await press(phone, "Not me");
  await expect(form.chats).toContainText(states.declined);
  await expect(form.chats).toContainText(advice["said-no"]);
  await expect(page.getByText("Wilhelmina")).toHaveCount(0);
});
