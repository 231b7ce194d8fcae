import { afterAll, expect, test } from "vitest";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { type Find, found, startTwoSearches } from "#test/delivery/two-searches.ts";

const SECOND = 1000;
const HOUR = 3_600_000;
const { sql, delivery, personWithTwo, stateOf, close } = await startTwoSearches();
afterAll(close);

const accepted = (chat: number) => delivery.telegram.ledger.accepted.filter(({ chatId }) => chatId === chat);
const setRules = (searchId: string, ...rules: Rule[]) => sql`
  update public.searches set rules = ${sql.json(rules as never)} where id = ${searchId}`;
const change = ({ code }: Find, fields: { isSilent?: boolean; heldUntil?: Date }) => sql`
  update watch.alerts set is_silent = ${fields.isSilent ?? false}, held_at = ${fields.heldUntil ? new Date(delivery.clock.now()) : null},
    not_before = coalesce(${fields.heldUntil ?? null}, not_before)
  where listing_id = ${code}`;

test("RULE-04 a silent alert makes no sound; a summary is silent only if all of it is", async () => {
  const two = await personWithTwo("private");
  const other = await personWithTwo("private");
  const [quiet, loud] = [found(two, [two.first]), found(two, [two.first])];
  const due = new Date(delivery.clock.now() + HOUR);
  const [first, second] = [found(other, [other.first]), found(other, [other.first])];
  await delivery.add(quiet, loud, first, second);
  await change(quiet, { isSilent: true });
  await change(first, { isSilent: true, heldUntil: due });
  await change(second, { heldUntil: due });
  await sql`update public.searches set is_folded = true where id = ${other.first}`;
  const sender = await delivery.startSender();
  await delivery.run(sender, 10 * SECOND);
  expect(accepted(two.chat).map(({ isSilent }) => isSilent)).toEqual([true, false]);
  // The summary of a folded search is one message, when it is due.
  expect(accepted(other.chat)).toEqual([]);
  await delivery.run(sender, HOUR + 10 * SECOND);
  expect(accepted(other.chat).map(({ isSilent }) => isSilent)).toEqual([false]);
  expect(delivery.textsIn(other.chat)[0]).toMatch(/^🏮 2 alerts in one message/);
  expect(await Promise.all([first, second].map(stateOf))).toEqual(["sent", "merged"]);
});

test("RULE-03 an alert that a rule leaves out before it is sent is counted; a home that was brought back is sent", async () => {
  const two = await personWithTwo("private");
  const agency = { isPrivate: false };
  const [left, both, back] = [
    found(two, [two.first], agency),
    found(two, [two.first, two.second], agency),
    found(two, [two.first], agency),
  ];
  await setRules(two.first, { on: "advertiser", is: "agency", act: "leave-out" });
  for (const { code, searchIds } of [left, both, back])
    await sql`
      insert into public.listings (user_id, listing_id, details, search_ids)
      values (${two.user}, ${code}, '{}', array(select jsonb_array_elements_text(${sql.json([...(searchIds ?? [])])})::uuid))`;
  await sql`
    insert into public.left_outs (user_id, listing_id, search_id, rule, payload, returned_at)
    values (${two.user}, ${back.code}, ${two.first}, '{}', '{}', now())`;
  const sender = await delivery.startSender();
  await delivery.add(left, both, back);
  await delivery.run(sender, 20 * SECOND);
  expect(await Promise.all([left, both, back].map(stateOf))).toEqual(["undeliverable", "sent", "sent"]);
  const rows = await sql`
    select listing_id as code, search_id as "searchId", rule ->> 'on' as rule from public.left_outs
    where user_id = ${two.user} and returned_at is null`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { code: left.code, searchId: two.first, rule: "advertiser" },
  ]);
  expect(
    await sql`select from public.listings where listing_id = ${left.code} and search_ids = '{}'`,
  ).toHaveLength(1);
});

test("RULE-03 a travel time that became known since leaves a home out", async () => {
  const two = await personWithTwo("private");
  const [place] = await sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${two.user}, 'Work', 40.43, -3.7)
    returning id`;
  const rule: Rule = { on: "minutes", placeId: String(place?.id), by: "foot", over: 20, act: "leave-out" };
  await setRules(two.first, rule);
  const here = { latitude: 40.431, longitude: -3.7, isAddressShown: true };
  const [known, unknown] = [
    found(two, [two.first], here),
    found(two, [two.first], { ...here, latitude: 40.432 }),
  ];
  await sql`
    insert into watch.travel_times (place_id, latitude, longitude, foot_minutes)
    values (${place?.id}, 40.431, -3.7, 45)`;
  const sender = await delivery.startSender();
  await delivery.add(known, unknown);
  await delivery.run(sender, 10 * SECOND);
  expect(await Promise.all([known, unknown].map(stateOf))).toEqual(["undeliverable", "sent"]);
});
