// What the first proof of an address does to each table with personal data.
import type { PendingQuery, Row, Sql } from "postgres";

const URL_OF_SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/";
const OTHER_URL = "https://www.idealista.com/alquiler-viviendas/madrid/retiro/";

interface UserTable {
  /** Inserts a row of the person; undefined if another table's row or a trigger creates one. */
  readonly fill?: (sql: Sql, id: string) => PendingQuery<Row[]>;
  /** What the proof does: the row is deleted, as it could act or hear, or the reason why it may stay. */
  readonly proof: "gone" | { readonly stays: string };
}

const GONE = { proof: "gone" } as const;
const stays = (why: string) => ({ proof: { stays: why } }) as const;
const LIMIT = stays("it only limits the account");
const DESCRIBES = stays("it only describes a wish or a find");
export const USER_TABLES: Readonly<Record<string, UserTable>> = {
  "private.account_mails": stays("it goes to the address itself"),
  "private.ended_grants": {
    ...stays("it is what ends launches that were signed before"),
    fill: (sql, id) => sql`
      insert into private.ended_grants values (${id}, now()) on conflict do nothing`,
  },
  "private.known_addresses": {
    ...GONE,
    fill: (sql, id) => sql`insert into private.known_addresses values (${id}, '\\x01', now())`,
  },
  "private.known_browsers": {
    ...GONE,
    fill: (sql, id) => sql`insert into private.known_browsers values (${id}, '\\x01', now())`,
  },
  "private.mailed_links": {
    ...GONE,
    fill: (sql, id) => sql`
      insert into private.mailed_links (token_hash, user_id, kind, email, sent_at, expires_at)
      values (${`hash ${id}`}, ${id}, 'signup', 'a@example.com', now(), now() + interval '7 days')`,
  },
  "private.proven_addresses": stays("it is the proof"),
  "private.security_events": {
    ...stays("it shows the owner what somebody else did"),
    fill: (sql, id) => sql`
      insert into private.security_events (user_id, kind, began_at, happened_at) values (${id}, 'sign_in', now(), now())`,
  },
  "private.telegram_launches": {
    ...stays("its session ends, and without it a launch opens nothing"),
    fill: (sql, id) => sql`
      insert into private.telegram_launches (launch, user_id, session_id, opened_at)
      values (decode(md5(${id}) || md5(${id}), 'hex'), ${id}, gen_random_uuid(), now()) on conflict do nothing`,
  },
  "private.telegram_links": {
    ...GONE,
    fill: (sql, id) => sql`
      with session as (insert into auth.sessions (user_id) values (${id}) returning id)
      insert into private.telegram_links (flow_id, session_id, user_id) select gen_random_uuid(), id, ${id} from session`,
  },
  "public.chats": stays("it is ended, and says so"),
  "public.find_settings": {
    ...DESCRIBES,
    fill: (sql, id) => sql`insert into public.find_settings (user_id, who) values (${id}, 'Mallory')`,
  },
  "public.left_outs": {
    ...DESCRIBES,
    fill: (sql, id) => sql`
      with found as (insert into public.listings (user_id, listing_id, details) values (${id}, 'left-out', '{}'))
      insert into public.left_outs (user_id, listing_id, search_id, rule, payload)
      values (${id}, 'left-out', ${id}, '{}', '{}')`,
  },
  "public.listings": {
    ...DESCRIBES,
    fill: (sql, id) =>
      sql`insert into public.listings (listing_id, user_id, details) values ('1', ${id}, '{}')`,
  },
  "public.mail_addresses": {
    ...GONE,
    fill: (sql, id) => sql`insert into public.mail_addresses (user_id, token) values (${id}, md5(${id}))`,
  },
  "public.marks": {
    ...DESCRIBES,
    fill: (sql, id) => sql`insert into public.marks (user_id, listing_id, mark) values (${id}, '1', 'kept')`,
  },
  "public.own_places": {
    ...DESCRIBES,
    fill: (sql, id) => sql`
      insert into public.own_places (user_id, name, latitude, longitude) values (${id}, 'Home', 40, -3)`,
  },
  "public.profiles": stays("it is the account itself"),
  "public.received_mails": {
    ...DESCRIBES,
    fill: (sql, id) => sql`insert into public.received_mails (user_id, outcome) values (${id}, 'alert')`,
  },
  "public.searches": {
    ...DESCRIBES,
    fill: (sql, id) => sql`
      insert into public.searches (user_id, filter_url, receiver_ids) values (${id}, ${URL_OF_SEARCH}, '{700}'), (${id}, ${OTHER_URL}, '{700}')`,
  },
  "watch.alerts": {
    ...stays("it waits for nobody: its chat has ended"),
    fill: (sql, id) => sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${id}, 700, 'new', '1', '{}')`,
  },
  "watch.away_mails": {
    ...GONE,
    fill: (sql, id) => sql`insert into watch.away_mails (user_id, mailed_at) values (${id}, now())`,
  },
  "watch.chat_questions": GONE,
  "watch.compiled_searches": {
    ...DESCRIBES,
    fill: (sql, id) => sql`
      insert into watch.compiled_searches (filter_id, user_id, filter_url)
      select id, user_id, filter_url from public.searches where user_id = ${id}`,
  },
  "watch.first_checks": {
    ...LIMIT,
    fill: (sql, id) =>
      sql`insert into watch.first_checks (user_id, whole_at, first_at) values (${id}, now(), now())`,
  },
  "watch.link_tokens": {
    ...GONE,
    fill: (sql, id) => sql`
      insert into watch.link_tokens (token_hash, user_id, expires_at)
      values (sha256(${id}::text::bytea), ${id}, now() + interval '15 minutes')`,
  },
  "watch.mail_listings": {
    ...DESCRIBES,
    fill: (sql, id) => sql`
      insert into watch.mail_listings (user_id, listing_id, price_eur, sent_at) values (${id}, '1', 900, now())`,
  },
  "watch.mail_renewals": {
    ...LIMIT,
    fill: (sql, id) => sql`insert into watch.mail_renewals (user_id) values (${id})`,
  },
  "watch.mailboxes": {
    ...stays("it says how far a mailbox was read"),
    fill: (sql, id) => sql`insert into watch.mailboxes values (${id}, 'a box', 1, 1, now())`,
  },
  "watch.mailed_steps": {
    ...LIMIT,
    fill: (sql, id) => sql`insert into watch.mailed_steps (user_id) values (${id})`,
  },
  "watch.mails": {
    ...stays("it was received before, and is read like the others"),
    fill: (sql, id) => sql`
      insert into watch.mails (user_id, raw, received_at, digest) values (${id}, '\\x01', now(), sha256(${id}::text::bytea))`,
  },
  "watch.routing_requests": {
    ...LIMIT,
    fill: (sql, id) => sql`insert into watch.routing_requests values (${id}, now(), 1)`,
  },
  "watch.search_previews": {
    ...DESCRIBES,
    fill: (sql, id) =>
      sql`insert into watch.search_previews (user_id, filter_url) values (${id}, ${URL_OF_SEARCH})`,
  },
  "watch.told": {
    ...DESCRIBES,
    fill: (sql, id) => sql`insert into watch.told (user_id, listing_id, told_at) values (${id}, '1', now())`,
  },
  "watch.unreachable_people": {
    ...LIMIT,
    fill: (sql, id) => sql`insert into watch.unreachable_people (user_id) values (${id})`,
  },
  "watch.waiting_searches": {
    ...DESCRIBES,
    fill: (sql, id) => sql`insert into watch.waiting_searches values (gen_random_uuid(), ${id}, now())`,
  },
};
