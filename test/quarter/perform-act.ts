// Turns an act into what people, the portal, Telegram and our operator do, and notes it in the model.
import { randomUUID } from "node:crypto";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { createChat, createPerson } from "#simulators/telegram/phone/create.ts";
import { addBot, changeStanding, removeBot } from "#simulators/telegram/phone/membership.ts";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import { mailEvent, receiveMail } from "../alert-mails/mail-events.ts";
import type { Act, ChatLoss, TimedAct } from "./acts.ts";
import {
  fitsWish,
  isOff,
  type PersonState,
  placeUrlOf,
  type QuarterPerson,
  RULED_OUT,
  searchOf,
  urlOf,
} from "./people.ts";
import type { QuarterWorld } from "./quarter-world.ts";

type ActOf<Name extends Act["act"]> = Extract<TimedAct, { act: Name }>;

const MINUTE_MS = 60_000;
const PAGE = 50;

export async function performAct(world: QuarterWorld, act: TimedAct): Promise<void> {
  switch (act.act) {
    case "join":
      return await join(world, act);
    case "edit":
    case "pause":
    case "resume":
    case "leave":
      return await changeSearch(world, act);
    case "lose-chat":
    case "regain-chat":
      return await changeChat(world, act);
    case "mail":
      return await mail(world, act);
    case "refuse":
    case "break":
      world.portal.faults.set({ fault: act.act === "refuse" ? "rate-limited" : "server-error" });
      world.troubles.sourceUntil = Math.max(
        world.troubles.sourceUntil,
        world.now() + act.minutes * MINUTE_MS,
      );
      return;
    case "stop-us":
      world.troubles.stoppedUntil = Math.max(
        world.troubles.stoppedUntil,
        world.now() + act.minutes * MINUTE_MS,
      );
      return;
    case "spend":
      await world.sql`update watch.request_budgets set used = greatest(used, monthly_requests)`;
      return;
    case "wait":
      return;
    default:
      changeMarket(world, act);
  }
}

async function join(world: QuarterWorld, act: ActOf<"join">): Promise<void> {
  const { person, wish, chat, hasRule, secondOf } = act;
  const { sql, delivery, people } = world;
  if (people.has(person)) return;
  if (secondOf !== undefined) return await addSecond(world, act, people.get(secondOf));
  const { telegram } = delivery;
  const owner = createPerson(telegram, { isStarted: true, languageCode: "en" });
  let chatId = owner.id;
  if (chat === "supergroup") {
    chatId = createChat(telegram, { kind: chat, creatorId: owner.id }).id;
    addBot(telegram, { chatId, by: owner.id });
  }
  const userId = randomUUID();
  const searchId = randomUUID();
  await sql.begin(async (db) => {
    await db`insert into auth.users (id, email) values (${userId}, ${`${userId}@example.com`})`;
    await db`
      insert into watch.chats (chat_id, kind, standing, asked_id_at) values (${chatId}, ${chat}, 'ok', now())
      on conflict (chat_id) do update set standing = 'ok'`;
    // Before the search is saved, so that no questions are sent.
    await db`
      insert into public.chats (user_id, chat_id, kind, state, confirmed_at)
      values (${userId}, ${chatId}, ${chat}, 'connected', now())`;
    await db`
      insert into watch.chat_questions (user_id, chat_id, asked_at, answer, is_own)
      values (${userId}, ${chatId}, 'epoch', 'yes', true) on conflict (user_id, chat_id) do nothing`;
    await db`
      insert into public.searches (id, user_id, first_of, filter_url, receiver_ids, rules)
      values (${searchId}, ${userId}, ${userId}, ${urlOf(wish)}, array[${String(chatId)}], ${db.json(rulesOf(hasRule))})`;
    await db`
      insert into public.mail_addresses (user_id, token, created_at)
      values (${userId}, ${userId.replaceAll("-", "")}, now())`;
  });
  people.set(person, {
    ...{ number: person, userId, searchId, chatId, hasRule, received: [], intervals: [] },
    states: [{ at: world.now(), wish, isPaused: false, isChatLost: false }],
  });
}

const rulesOf = (hasRule: boolean) =>
  hasRule ? [{ on: "words", are: "present", words: [RULED_OUT], act: "leave-out" }] : [];

async function addSecond(
  { sql, people, now }: QuarterWorld,
  { person, wish, hasRule }: ActOf<"join">,
  first: QuarterPerson | undefined,
): Promise<void> {
  if (!first) return;
  const { userId, chatId } = first;
  const searchId = randomUUID();
  await sql`
    insert into public.searches (id, user_id, filter_url, receiver_ids, rules)
    values (${searchId}, ${userId}, ${urlOf(wish)}, array[${String(chatId)}], ${sql.json(rulesOf(hasRule))})`;
  people.set(person, {
    ...{ number: person, userId, searchId, chatId, hasRule, received: [], intervals: [] },
    states: [{ ...presentOf(first), at: now(), wish, isPaused: false }],
  });
}

const presentOf = ({ states }: QuarterPerson): PersonState => states.at(-1) as PersonState;

async function changeSearch(
  world: QuarterWorld,
  act: ActOf<"edit" | "pause" | "resume" | "leave">,
): Promise<void> {
  const person = world.people.get(act.person);
  const present = person && presentOf(person);
  if (!person || !present?.wish) return;
  const { sql } = world;
  const at = world.now();
  const { searchId } = person;
  if (act.act === "edit") {
    await sql`update public.searches set filter_url = ${urlOf(act.wish)} where id = ${searchId}`;
    person.states.push({ ...present, at, wish: act.wish });
  } else if (act.act === "leave") {
    await sql`delete from public.searches where id = ${searchId}`;
    person.states.push({ ...present, at, wish: null });
  } else {
    const isPaused = act.act === "pause";
    if (isPaused === present.isPaused) return;
    await sql`update public.searches set is_paused = ${isPaused} where id = ${searchId}`;
    await holdResumed(world, person.userId);
    person.states.push({ ...present, at, isPaused });
  }
}

async function changeChat(world: QuarterWorld, act: ActOf<"lose-chat" | "regain-chat">): Promise<void> {
  const person = world.people.get(act.person);
  const present = person && presentOf(person);
  const isLost = act.act === "lose-chat";
  if (!person || !present?.wish || present.isChatLost === isLost) return;
  const { telegram } = world.delivery;
  const owner = ownerOf(world, person.chatId);
  await world.withBot(() => {
    if (isLost) loseChat(world, person.chatId, { how: act.how, owner });
    else if (person.chatId > 0) pressStart(telegram, person.chatId);
    else addBot(telegram, { chatId: person.chatId, by: owner });
  });
  await holdResumed(world, person.userId);
  for (const one of world.people.values())
    if (one.chatId === person.chatId && presentOf(one).wish)
      one.states.push({ ...presentOf(one), at: world.now(), isChatLost: isLost });
}

/** Triggers read PostgreSQL's own clock, which is behind the held one. */
async function holdResumed({ sql, now }: QuarterWorld, userId: string): Promise<void> {
  await sql`
    update watch.compiled_searches set resumed_at = ${new Date(now())}
    where user_id = ${userId} and resumed_at < stopped_at`;
}

function loseChat(
  { delivery }: QuarterWorld,
  chatId: number,
  { how, owner }: { readonly how: ChatLoss; readonly owner: number },
): void {
  if (how === "kicked") removeBot(delivery.telegram, chatId, owner);
  else changeStanding(delivery.telegram, chatId, { standing: how, by: owner });
}

function ownerOf({ delivery }: QuarterWorld, chatId: number): number {
  if (chatId > 0) return chatId;
  return [...(delivery.telegram.chats.get(chatId)?.members.keys() ?? [])][0] ?? 0;
}

type MarketAct = ActOf<"publish" | "renew" | "swap" | "withdraw" | "restore" | "readvertise" | "reprice">;

const NOTED = {
  withdraw: "withdrawn",
  readvertise: "withdrawn",
  restore: "restored",
  reprice: "repriced",
} as const;

function changeMarket(world: QuarterWorld, act: MarketAct): void {
  const { truth, homes } = world;
  const { market } = world.portal;
  switch (act.act) {
    case "publish":
      act.homes.forEach((home, n) => {
        const description = home % 3 === 0 ? `Piso con ${RULED_OUT}.` : "Piso luminoso.";
        const fields = { priceEur: act.pricesEur[n] ?? 0, description };
        const outcome = publishMatching(market, { url: placeUrlOf(act), fields });
        if (!outcome.isPublished) throw new Error(`${placeUrlOf(act)}: ${outcome.reason}`);
        homes.set(home, outcome.advert);
        truth.note("published", outcome.advert);
      });
      return;
    case "renew":
      for (const advert of listOf(market, act).slice(0, act.count)) market.renew(advert);
      return;
    case "swap": {
      const list = listOf(market, act);
      const [one, other] = [list.at(-PAGE), list.at(-PAGE - 1)];
      if (one && other) market.swap(one, other);
      return;
    }
    default:
      changeHome(world, act);
  }
}

function changeHome(
  { portal, truth, homes }: QuarterWorld,
  act: ActOf<"withdraw" | "restore" | "readvertise" | "reprice">,
): void {
  const { market } = portal;
  const advert = homes.get(act.home);
  if (!advert) return;
  const isOnOffer = truth.homes.get(advert.code)?.events.at(-1)?.isOnOffer === true;
  if (isOnOffer === (act.act === "restore")) return;
  if (act.act === "reprice")
    market.changePrice(advert, Math.round(advert.priceEur * (1 + act.percent / 100)));
  else if (act.act === "restore") market.restore(advert.code);
  else market.withdraw(advert);
  truth.note(NOTED[act.act], advert);
  if (act.act !== "readvertise") return;
  const again = market.readvertise(advert);
  homes.set(act.as, again);
  truth.note("published", again);
}

/** Oldest first. */
function listOf(
  market: QuarterWorld["portal"]["market"],
  { place, operation }: { readonly place: string; readonly operation: "sale" | "rent" },
) {
  const { propertyType, placeId } = searchOf(placeUrlOf({ place, operation }));
  return [...market.select(operation, propertyType, placeId)];
}

/** The portal's own alert mail about a home that fits, beside the API. */
async function mail(world: QuarterWorld, act: ActOf<"mail">): Promise<void> {
  const person = world.people.get(act.person);
  const advert = world.homes.get(act.home);
  if (!person || !advert || advert.operation !== "sale") return;
  const event = world.truth.homes.get(advert.code)?.events.at(-1);
  const present = presentOf(person);
  if (!event?.isOnOffer || !present.wish || isOff(present)) return;
  if (!fitsWish(present.wish, advert)) return;
  const { municipality, neighborhood } = advert.spot;
  const street = advert.street ?? "Calle Mayor";
  const place = [neighborhood, municipality].filter((name) => name !== null);
  await receiveMail(world.sql, {
    userId: person.userId,
    at: world.now(),
    events: [
      mailEvent(advert.code, {
        title: `Piso en ${[street, ...place].join(", ")}`,
        address: [street, ...place],
        priceEur: advert.priceEur,
        rooms: advert.rooms,
        areaM2: advert.sizeM2,
      }),
    ],
  });
}
