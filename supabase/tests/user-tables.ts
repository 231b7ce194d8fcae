// What the first proof of an address does to each table with personal data.
import type { PendingQuery, Row, Sql } from "postgres";

export const URL_OF_SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/";
export const OTHER_URL = "https://www.idealista.com/alquiler-viviendas/madrid/retiro/";

interface UserTable {
  /** Inserts a row of the person; undefined if another table's row or a trigger creates one. */
  readonly fill?: (sql: Sql, id: string) => PendingQuery<Row[]>;
  /** The effect of a proof by Google: the row is deleted, or the reason why it may stay. */
  readonly google: "gone" | { readonly harmless: string };
  /**
   * The effect of a proof by mail: the row stays and the account is held, it is deleted, or the reason why it may stay.
   */
  readonly mail: "held" | "gone" | { readonly harmless: string };
}

const SETUP = { google: "gone", mail: "held" } as const;
const LIMIT = { harmless: "it only limits the account" };
export const USER_TABLES: Readonly<Record<string, UserTable>> = {
  "private.account_mails": {
    google: { harmless: "it goes to the address itself" },
    mail: { harmless: "it goes to the address itself" },
  },
  "private.held_setups": { google: "gone", mail: { harmless: "it is what holds the others" } },
  "private.known_addresses": {
    fill: (sql, id) => sql`insert into private.known_addresses values (${id}, '\\x01', now())`,
    google: "gone",
    mail: "gone",
  },
  "private.known_browsers": {
    fill: (sql, id) => sql`insert into private.known_browsers values (${id}, '\\x01', now())`,
    google: "gone",
    mail: "gone",
  },
  "private.proven_addresses": {
    google: { harmless: "it is the proof" },
    mail: { harmless: "it is the proof" },
  },
  "private.security_events": {
    fill: (sql, id) => sql`
      insert into private.security_events (user_id, kind, began_at, happened_at) values (${id}, 'sign_in', now(), now())`,
    google: { harmless: "it shows the owner what somebody else did" },
    mail: { harmless: "it shows the owner what somebody else did" },
  },
  "private.telegram_links": {
    fill: (sql, id) => sql`
      with session as (insert into auth.sessions (user_id) values (${id}) returning id)
      insert into private.telegram_links (flow_id, session_id, user_id) select gen_random_uuid(), id, ${id} from session`,
    google: "gone",
    mail: "gone",
  },
  "public.chats": SETUP,
  "public.find_settings": {
    ...SETUP,
    fill: (sql, id) => sql`insert into public.find_settings (user_id, who) values (${id}, 'Mallory')`,
  },
  "public.left_outs": {
    ...SETUP,
    fill: (sql, id) => sql`
      with found as (insert into public.listings (user_id, listing_id, details) values (${id}, 'left-out', '{}'))
      insert into public.left_outs (user_id, listing_id, search_id, rule, payload)
      values (${id}, 'left-out', ${id}, '{}', '{}')`,
  },
  "public.listings": {
    ...SETUP,
    fill: (sql, id) =>
      sql`insert into public.listings (listing_id, user_id, details) values ('1', ${id}, '{}')`,
  },
  "public.mail_addresses": {
    ...SETUP,
    fill: (sql, id) => sql`insert into public.mail_addresses (user_id, token) values (${id}, md5(${id}))`,
  },
  "public.marks": {
    ...SETUP,
    fill: (sql, id) => sql`insert into public.marks (user_id, listing_id, mark) values (${id}, '1', 'kept')`,
  },
  "public.own_places": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into public.own_places (user_id, name, latitude, longitude) values (${id}, 'Home', 40, -3)`,
  },
  "public.profiles": {
    google: { harmless: "it is the account itself; its settings are reset" },
    mail: { harmless: "it is the account itself" },
  },
  "public.received_mails": {
    ...SETUP,
    fill: (sql, id) => sql`insert into public.received_mails (user_id, outcome) values (${id}, 'alert')`,
  },
  "public.searches": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into public.searches (user_id, filter_url, receiver_ids) values (${id}, ${URL_OF_SEARCH}, '{700}'), (${id}, ${OTHER_URL}, '{700}')`,
  },
  "watch.alerts": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${id}, 700, 'new', '1', '{}')`,
  },
  "watch.away_mails": {
    fill: (sql, id) => sql`insert into watch.away_mails (user_id, mailed_at) values (${id}, now())`,
    google: LIMIT,
    mail: LIMIT,
  },
  "watch.chat_questions": SETUP,
  "watch.compiled_searches": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into watch.compiled_searches (filter_id, user_id, filter_url)
      select id, user_id, filter_url from public.searches where user_id = ${id}`,
  },
  "watch.first_checks": {
    fill: (sql, id) =>
      sql`insert into watch.first_checks (user_id, whole_at, first_at) values (${id}, now(), now())`,
    google: LIMIT,
    mail: LIMIT,
  },
  "watch.link_tokens": {
    fill: (sql, id) => sql`
      insert into watch.link_tokens (token_hash, user_id, expires_at)
      values (sha256(${id}::text::bytea), ${id}, now() + interval '15 minutes')`,
    google: "gone",
    mail: "gone",
  },
  "watch.mail_listings": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into watch.mail_listings (user_id, listing_id, price_eur, sent_at) values (${id}, '1', 900, now())`,
  },
  "watch.mail_renewals": {
    fill: (sql, id) => sql`insert into watch.mail_renewals (user_id) values (${id})`,
    google: LIMIT,
    mail: LIMIT,
  },
  "watch.mailboxes": {
    ...SETUP,
    fill: (sql, id) => sql`insert into watch.mailboxes values (${id}, 'a box', 1, 1, now())`,
  },
  "watch.mailed_steps": {
    fill: (sql, id) => sql`insert into watch.mailed_steps (user_id) values (${id})`,
    google: LIMIT,
    mail: LIMIT,
  },
  "watch.mails": {
    ...SETUP,
    fill: (sql, id) => sql`
      insert into watch.mails (user_id, raw, received_at, digest) values (${id}, '\\x01', now(), sha256(${id}::text::bytea))`,
  },
  "watch.routing_requests": {
    fill: (sql, id) => sql`insert into watch.routing_requests values (${id}, now(), 1)`,
    google: LIMIT,
    mail: LIMIT,
  },
  "watch.search_previews": {
    ...SETUP,
    fill: (sql, id) =>
      sql`insert into watch.search_previews (user_id, filter_url) values (${id}, ${URL_OF_SEARCH})`,
  },
  "watch.unreachable_people": {
    ...SETUP,
    fill: (sql, id) => sql`insert into watch.unreachable_people (user_id) values (${id})`,
  },
  "watch.waiting_searches": {
    ...SETUP,
    fill: (sql, id) => sql`insert into watch.waiting_searches values (gen_random_uuid(), ${id}, now())`,
  },
};
