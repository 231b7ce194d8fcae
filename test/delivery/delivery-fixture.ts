// Users, chats and alerts, for tests and benches of sending.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import type { AlertListing, AlertPayloads } from "#core/alert/alert.ts";
import type { AlertKind } from "#core/alert/alert-kinds.ts";
import type { ChatKind } from "#core/alert/chat.ts";
import { createChat, createPerson } from "#simulators/telegram/phone/create.ts";
import { addBot } from "#simulators/telegram/phone/membership.ts";
import type { World } from "#simulators/telegram/world.ts";

export const FILTER_URL =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,de-dos-dormitorios/";

export function listingOf(code: string, changes: Partial<AlertListing> = {}): AlertListing {
  return {
    propertyCode: code,
    url: `https://www.idealista.com/inmueble/${code}/`,
    title: "Piso en calle de Fuencarral",
    operation: "rent",
    kind: "homes",
    typology: "flat",
    subTypology: null,
    priceEur: 1250,
    areaM2: 58,
    rooms: 2,
    bathrooms: 1,
    floor: "3",
    hasLift: true,
    isExterior: true,
    address: "calle de Fuencarral",
    neighborhood: "Trafalgar",
    district: "Chamberí",
    municipality: "Madrid",
    pictureUrl: null,
    pricePerM2Eur: 21.6,
    comparison: { percent: -9, samples: 84, place: "Trafalgar" },
    ...changes,
  };
}

/** Creates a chat in the simulated Telegram that accepts messages. */
export function openChat(world: World, kind: ChatKind): number {
  const person = createPerson(world, { isStarted: true });
  if (kind === "private") return person.id;
  const chat = createChat(world, { kind, creatorId: person.id });
  addBot(world, { chatId: chat.id, by: person.id });
  return chat.id;
}

/** Creates users, each with a search and these connected chats. */
export async function connectPeople(
  sql: Sql,
  people: readonly { readonly chats: readonly { readonly id: number; readonly kind: ChatKind }[] }[],
): Promise<string[]> {
  const rows = people.map(({ chats }) => ({ user: randomUUID(), chats }));
  const links = rows.flatMap(({ user, chats }) =>
    chats.map(({ id, kind }) => ({ user, chat: String(id), kind })),
  );
  await sql`
    insert into auth.users (id, email)
    select "user", "user" || '@example.org' from jsonb_to_recordset(${sql.json(rows as never)}) as row("user" uuid)`;
  await sql`
    insert into watch.chats (chat_id, kind, standing, asked_id_at)
    select distinct on (chat) chat::bigint, kind, 'ok', now()
    from jsonb_to_recordset(${sql.json(links)}) as link(chat text, kind text)
    on conflict do nothing`;
  // Connect the chats before saving the search, so that no questions are sent.
  await sql`
    insert into public.chats (user_id, chat_id, kind, state, confirmed_at)
    select "user", chat::bigint, kind, 'connected', now()
    from jsonb_to_recordset(${sql.json(links)}) as link("user" uuid, chat text, kind text)`;
  await sql`
    insert into public.filter_settings (user_id, filter_url, receiver_ids)
    select "user", ${FILTER_URL}, array_agg(chat)
    from jsonb_to_recordset(${sql.json(links)}) as link("user" uuid, chat text) group by 1`;
  return rows.map(({ user }) => user);
}

export type NewAlert = {
  [K in AlertKind]: {
    readonly userId: string;
    readonly chatId: number | string;
    readonly kind: K;
    readonly payload: AlertPayloads[K];
    readonly eventKey?: string;
    /** The matching searches. */
    readonly searchIds?: readonly string[];
    readonly at?: number;
  };
}[AlertKind];

/** Inserts alerts as the watcher does, with the listing's code. */
export async function addAlerts(sql: Sql | TransactionSql, alerts: readonly NewAlert[]): Promise<void> {
  const rows = alerts.map(({ chatId, payload, at, ...alert }, place) => ({
    ...alert,
    place,
    payload,
    chatId: String(chatId),
    listingId: "listing" in payload ? payload.listing.propertyCode : null,
    at: (at ?? Date.now()) / 1000,
  }));
  await sql`
    insert into watch.alerts (
      user_id, chat_id, kind, listing_id, event_key, payload, not_before, created_at, search_ids
    )
    select "userId", "chatId"::bigint, kind, "listingId", coalesce("eventKey", ''), payload, to_timestamp(at),
      to_timestamp(at), "searchIds"
    from jsonb_to_recordset(${sql.json(rows as never)}) as row(
      "userId" uuid, "chatId" text, kind text, "listingId" text, "eventKey" text, payload jsonb, at float8, place integer,
      "searchIds" uuid[]
    )
    order by place
    on conflict do nothing`;
}

export function newListing(
  userId: string,
  chatId: number | string,
  code: string,
  changes: Partial<AlertListing> = {},
): NewAlert {
  return { userId, chatId, kind: "new", payload: { listing: listingOf(code, changes) } };
}
