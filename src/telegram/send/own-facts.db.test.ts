import { afterAll, expect, test } from "vitest";
import type { Rule } from "#core/rules/rule-kinds.ts";
import type { Warning } from "#core/warnings/warning.ts";
import { found, startTwoSearches } from "#test/delivery/two-searches.ts";
import { editMessages } from "./edit-messages.ts";
import { alertTexts } from "./render/alert-texts.ts";

const SECOND = 1000;
const doubleCheck = (warnings: string) => alertTexts("en")("doubleCheck", { warnings });
const { sql, delivery, personWithTwo, messagesIn, stateOf, close } = await startTwoSearches();
afterAll(close);

const WARNINGS: Warning[] = [{ kind: "no-photo" }, { kind: "seasonal", words: "por temporada" }];
const POINT = { latitude: 40.4333, longitude: -3.70123, isAddressShown: true };
const wordsOf = (chat: number) => messagesIn(chat).map(({ text, caption }) => text ?? caption ?? "");

test("FIND-04 FIND-06 FIND-07 an alert shows the user's distances and warnings; in a group it shows no distances", async () => {
  const two = await personWithTwo("private", "supergroup");
  const [place] = await sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${two.user}, 'Work', 40.4233, -3.70123)
    returning id`;
  await sql`
    insert into watch.travel_times (place_id, latitude, longitude, foot_minutes)
    values (${place?.id}, 40.4333, -3.7012, 14)`;
  await sql`insert into public.find_settings (user_id, hidden_warnings) values (${two.user}, '{no-photo}')`;
  const sender = await delivery.startSender();
  const alerts = two.chats.map((chat) =>
    found({ user: two.user, chat }, [two.first], { ...POINT, warnings: WARNINGS }),
  );
  await delivery.add(...alerts);
  await delivery.run(sender, 10 * SECOND);
  const [own = "", group = ""] = two.chats.map((chat) => wordsOf(chat).join());
  expect(own).toContain(
    `\n📍 1.1\u00a0km to Work (14\u00a0min on foot)\n👀 ${doubleCheck("seasonal or temporary let (“por temporada”)")}`,
  );
  expect(group).toContain(`\n👀 ${doubleCheck("seasonal")}`);
  expect(group).not.toContain("Work");
});

test("FIND-04 RULE-02 an advert with a warning that rules leave out is not sent, unless the home is kept", async () => {
  const two = await personWithTwo("private");
  const rule: Rule = { on: "warning", kind: "seasonal", act: "leave-out" };
  await sql`update public.searches set rules = ${sql.json([rule] as never)} where id = ${two.first}`;
  const [left, kept, plain] = [WARNINGS, WARNINGS, []].map((warnings) =>
    found(two, [two.first], { warnings }),
  );
  if (!left || !kept || !plain) throw new Error("three alerts");
  await sql`insert into public.marks (user_id, listing_id, mark) values (${two.user}, ${kept.code}, 'kept')`;
  const sender = await delivery.startSender();
  await delivery.add(left, kept, plain);
  await delivery.run(sender, 10 * SECOND);
  expect(await Promise.all([left, kept, plain].map(stateOf))).toEqual(["undeliverable", "sent", "sent"]);
});

test("FIND-01 marks and notes made on the page change the message in the private chat, and undoing them restores it", async () => {
  const two = await personWithTwo("private", "supergroup");
  const sender = await delivery.startSender();
  const code = "900001";
  const alerts = two.chats.map((chat) => {
    return found({ user: two.user, chat }, [two.first], { propertyCode: code });
  });
  await delivery.add(...alerts);
  await delivery.run(sender, 10 * SECOND);
  const before = two.chats.map((chat) => wordsOf(chat));
  const edit = async (statement: (now: Date) => PromiseLike<unknown>) => {
    await statement(new Date(delivery.clock.now()));
    const { signal } = new AbortController();
    for (let round = 0; round < 3; round += 1) {
      await editMessages({
        sql,
        signal,
        now: delivery.clock.now,
        edit: (message, id) => sender.editAside(message, id),
      });
      delivery.clock.advance(5 * SECOND);
    }
    return two.chats.map((chat) => wordsOf(chat));
  };
  const [noted] = await edit(
    (now) => sql`select watch.note_home(${two.user}, ${code}, 'Call on Monday', ${now})`,
  );
  expect(noted?.[0]).toContain("\n📝 Call on Monday");
  const [hidden, group] = await edit(
    (now) => sql`select watch.mark_home(${two.user}, ${code}, 'hidden', ${now})`,
  );
  expect(hidden?.[0]).toMatch(/^🙈 Hidden: [^\n]*$/);
  expect(group).toEqual(before[1]);
  const [undone] = await edit((now) => sql`select watch.mark_home(${two.user}, ${code}, null, ${now})`);
  expect(undone?.[0]).toBe(noted?.[0]);
});
