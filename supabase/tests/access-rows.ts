// The rows and arguments that the access matrix asks with.
import type { Person } from "#test/cast.ts";
import type { Row } from "./access-probe.ts";

export type Owner = { id: string; number: 1 | 2 | 3; mark: string };

const searchRow = ({ id, number, mark }: Owner) => ({
  id: uuid(number),
  user_id: id,
  filter_url: `https://www.idealista.com/alquiler-viviendas/madrid/${mark}/`,
  receiver_ids: [`${5000 + number}`],
  created_at: day(number),
  updated_at: day(number),
  is_paused: number < 3,
  name: mark,
  quiet_from: `2${number}:00:00`,
  quiet_until: `0${number}:00:00`,
  rules: [{ on: "zone-price", is: "above", percent: number, act: "silent" }],
  is_folded: number < 3,
});

// A row of each table, with no column left empty: different for each number, and recognisable by its mark.
const ROWS: Record<string, (owner: Owner) => Row> = {
  chats: ({ id, number, mark }) => ({
    user_id: id,
    chat_id: 5000 + number,
    kind: ["private", "group", "channel"][number - 1],
    title: mark,
    state: ["connected", "blocked", "declined"][number - 1],
    reason: ["full", "left", "said-no"][number - 1],
    created_at: day(number),
    updated_at: day(number),
    receives: ["everything", "kept", "kept-by-two"][number - 1],
    confirmed_at: day(number),
  }),
  demo_listings: ({ number, mark }) => ({
    demo_id: `${number}`,
    filter_id: uuid(number),
    created_at: day(number),
    details: { title: mark },
  }),
  filter_settings: (owner) => searchRow(owner),
  find_settings: ({ id, number, mark }) => ({
    user_id: id,
    hidden_warnings: [["no-photo"], ["auction"], ["seasonal"]][number - 1],
    who: mark,
    job: mark,
    moving_from: mark,
    about: mark,
    updated_at: day(number),
  }),
  left_outs: ({ id, number }) => ({
    user_id: id,
    listing_id: `${number}`,
    search_id: uuid(number),
    rule: { on: "zone-price", is: "above", percent: number, act: "leave-out" },
    payload: { listing: {} },
    left_out_at: day(number),
    returned_at: day(number),
  }),
  listings: ({ id, number, mark }) => ({
    listing_id: `${number}`,
    home_id: `${number}`,
    user_id: id,
    created_at: day(number),
    details: { title: mark },
    search_ids: [uuid(number)],
  }),
  mail_addresses: ({ id, number, mark }) => ({
    user_id: id,
    token: `${number}`.repeat(32),
    created_at: day(number),
    forwarding_code: `${number}`.repeat(9),
    forwarding_link: `https://mail.google.com/mail/vf-${mark}`,
    forwarding_asked_at: day(number),
  }),
  market_figures: ({ number, mark }) => ({
    place_id: `0-EU-ES-${number}`,
    place_name: mark,
    operation: ["sale", "rent", "sale"][number - 1],
    size_band: ["all", "50-79", "120-up"][number - 1],
    seen_count: 5 + number,
    median_per_m2_eur: 4000 + number,
    low_per_m2_eur: 3000 + number,
    high_per_m2_eur: 5000 + number,
    median_days: 10 + number,
    gone_count: number,
    cut_percent: number,
    prices_per_m2_eur: [4000 + number],
  }),
  marks: ({ id, number, mark }) => ({
    user_id: id,
    listing_id: `${number}`,
    home_id: `${number}`,
    mark: ["kept", "hidden", "kept"][number - 1],
    created_at: day(number),
    chat_id: 5000 + number,
    note: mark,
    updated_at: day(number),
  }),
  own_places: ({ id, number, mark }) => ({
    id: uuid(number),
    user_id: id,
    name: mark,
    latitude: 40 + number,
    longitude: -3 - number,
    created_at: day(number),
  }),
  profiles: ({ id, number, mark }) => ({
    id,
    full_name: mark,
    email: `${mark}@example.com`,
    language: ["es", "de", "fr"][number - 1],
    mails_when_away: number % 2 === 0,
    time_zone: ["Europe/Madrid", "Atlantic/Canary", "Europe/Madrid"][number - 1],
  }),
  received_mails: ({ id, number, mark }) => ({
    id: uuid(number),
    user_id: id,
    received_at: day(number),
    outcome: ["alert", "digest", "not-signed"][number - 1],
    why: mark,
    portal: ["idealista.com", "fotocasa", "habitaclia"][number - 1],
    listing_count: number,
    new_count: number,
  }),
  searches: (owner) => ({
    ...searchRow(owner),
    first_of: owner.id,
    is_first: true,
  }),
  watch_intervals: ({ number, mark }) => ({
    source: mark,
    interval_seconds: number,
    spent_until: day(number),
  }),
};

// What a function with parameters is called with: a thing of the owner's.
export const ARGUMENTS: Record<string, (owner: Person) => Promise<Row> | Row> = {
  allow_telegram_link: () => ({ state: "none" }),
  create_telegram_link: () => ({ search_id: uuid(1) }),
  describe_address_link: () => ({ token_hash: "none" }),
  refuse_address: () => ({ token_hash: "none" }),
  delete_my_account: ({ email }) => ({ current_password: email.replace("@example.com", "-password") }),
  // A link has no owner, so a link that may not be saved takes the place of another person's.
  preview_search: ({ email }) => ({ filter_url: linkFor(email) }),
  // Found by Alice, and by each person who calls the function for themselves.
  bring_back: () => ({ listing_id: "1" }),
  my_past_homes: () => ({ search_id: uuid(1) }),
  mark_find: () => ({ listing_id: "1", mark: "hidden" }),
  my_find: () => ({ listing_id: "1" }),
  my_finds: () => ({ page_size: 24 }),
  note_find: () => ({ listing_id: "1", note: "theirs" }),
  end_my_session: async ({ client }) => ({ session_id: (await client.rpc("my_sessions")).data[0].id }),
  watch_listing: () => ({ listing_id: "1" }),
  send_test_message: () => ({ chat_id: 5001 }),
  save_first: ({ email }) => ({ filter_url: linkFor(email), receiver_ids: ["5001"], seen_chats: [] }),
};

const linkFor = (email: string) =>
  email.startsWith("runs-")
    ? "https://www.idealista.com/alquiler-viviendas/madrid-madrid/"
    : "https://example.com/";
const day = (number: number) => `2026-01-0${number}T00:00:00+00:00`;
const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

export function rowFor(name: string, owner: Owner): Row {
  const make = ROWS[name];
  if (!make) throw new Error(`public.${name} is served and has no row in ROWS of the access matrix`);
  return make(owner);
}
