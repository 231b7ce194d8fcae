// What everyone may do with what is served. A new table, view, column or function gets its line here, and a table its row;
// access-matrix.db.test.ts fails until it has them.
import type { Person } from "#test/cast.ts";
import type { Relation, Row } from "./access-probe.ts";

// r read, i insert, u update, beside the table itself d delete. "owner" and "other" try it on the owner's rows.
export const RELATIONS = `
                                  guest   owner   other
chats                             -       -       -
chats.user_id                     -       r       -
chats.chat_id                     -       r       -
chats.kind                        -       r       -
chats.title                       -       r       -
chats.state                       -       r       -
chats.reason                      -       r       -
chats.confirmed_at                -       r       -
chats.created_at                  -       r       -
chats.updated_at                  -       r       -
demo_listings                     -       -       -
demo_listings.demo_id             r       r       r
demo_listings.filter_id           r       r       r
demo_listings.created_at          r       r       r
demo_listings.details             r       r       r
filter_settings                   -       d       -
filter_settings.id                -       r       -
filter_settings.user_id           -       riu     -
filter_settings.filter_url        -       riu     -
filter_settings.receiver_ids      -       riu     -
filter_settings.created_at        -       r       -
filter_settings.updated_at        -       r       -
filter_settings.is_paused         -       riu     -
filter_settings.based_on          -       riu     -
filter_settings.name              -       riu     -
filter_settings.quiet_from        -       riu     -
filter_settings.quiet_until       -       riu     -
find_settings                     -       d       -
find_settings.user_id             -       riu     -
find_settings.signs_off           -       riu     -
find_settings.signs_left_out      -       riu     -
find_settings.who                 -       riu     -
find_settings.job                 -       riu     -
find_settings.moving_from         -       riu     -
find_settings.about               -       riu     -
find_settings.updated_at          -       r       -
listings                          -       -       -
listings.listing_id               -       r       -
listings.user_id                  -       r       -
listings.created_at               -       r       -
listings.details                  -       r       -
listings.search_ids               -       r       -
mail_addresses                    -       -       -
mail_addresses.user_id            -       r       -
mail_addresses.token              -       r       -
mail_addresses.created_at         -       r       -
mail_addresses.forwarding_code    -       r       -
mail_addresses.forwarding_link    -       r       -
mail_addresses.forwarding_asked_at-       r       -
market_figures                    -       -       -
market_figures.place_id           -       r       r
market_figures.place_name         -       r       r
market_figures.operation          -       r       r
market_figures.size_band          -       r       r
market_figures.seen_count         -       r       r
market_figures.median_per_m2_eur  -       r       r
market_figures.low_per_m2_eur     -       r       r
market_figures.high_per_m2_eur    -       r       r
market_figures.median_days        -       r       r
market_figures.gone_count         -       r       r
market_figures.cut_percent        -       r       r
market_figures.prices_per_m2_eur  -       -       -
marks                             -       -       -
marks.user_id                     -       r       -
marks.listing_id                  -       r       -
marks.mark                        -       r       -
marks.note                        -       r       -
marks.chat_id                     -       r       -
marks.created_at                  -       r       -
marks.updated_at                  -       r       -
own_places                        -       d       -
own_places.id                     -       r       -
own_places.user_id                -       ri      -
own_places.name                   -       riu     -
own_places.latitude               -       riu     -
own_places.longitude              -       riu     -
own_places.created_at             -       r       -
profiles                          -       -       -
profiles.id                       -       r       -
profiles.full_name                -       r       -
profiles.email                    -       r       -
profiles.language                 -       ru      -
received_mails                    -       -       -
received_mails.id                 -       r       -
received_mails.user_id            -       r       -
received_mails.received_at        -       r       -
received_mails.outcome            -       r       -
received_mails.why                -       r       -
received_mails.portal             -       r       -
received_mails.listing_count      -       r       -
received_mails.new_count          -       r       -
searches                          -       d       -
searches.id                       -       r       -
searches.user_id                  -       riu     -
searches.first_of                 -       riu     -
searches.is_first                 -       r       -
searches.filter_url               -       riu     -
searches.receiver_ids             -       riu     -
searches.name                     -       riu     -
searches.is_paused                -       riu     -
searches.quiet_from               -       riu     -
searches.quiet_until              -       riu     -
searches.based_on                 -       riu     -
searches.created_at               -       r       -
searches.updated_at               -       r       -
watch_intervals                   -       -       -
watch_intervals.source            r       r       r
watch_intervals.interval_seconds  r       r       r
watch_intervals.spent_until       r       r       r
`;

// The methods by which it runs; a guest's are always none.
export const FUNCTIONS = `
                                  guest   person
confirm_my_setup()                -       POST
create_telegram_link(uuid)        -       POST
delete_my_account(text)           -       POST
discard_my_setup()                -       POST
end_my_session(uuid)              -       POST
export_my_data()                  -       POST
has_password()                    -       GET HEAD POST
mark_find(text, text)             -       POST
my_find(text)                     -       GET HEAD POST
my_find_points(jsonb)             -       GET HEAD POST
my_finds(jsonb, text, integer)    -       GET HEAD POST
my_held_setup()                   -       GET HEAD POST
my_security_events()              -       GET HEAD POST
my_sessions()                     -       GET HEAD POST
my_watches()                      -       GET HEAD POST
note_find(text, text)             -       POST
preview_search(text)              -       POST
renew_mail_address()              -       POST
send_test_message(bigint)         -       POST
`;

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
    confirmed_at: day(number),
  }),
  demo_listings: ({ number, mark }) => ({
    demo_id: `${number}`,
    filter_id: uuid(number),
    created_at: day(number),
    details: { title: mark },
  }),
  filter_settings: (owner) => ({ ...searchRow(owner), based_on: null }),
  find_settings: ({ id, number, mark }) => ({
    user_id: id,
    signs_off: [["no-photo"], ["auction"], ["seasonal"]][number - 1],
    signs_left_out: [["auction"], ["seasonal"], ["no-photo"]][number - 1],
    who: mark,
    job: mark,
    moving_from: mark,
    about: mark,
    updated_at: day(number),
  }),
  listings: ({ id, number, mark }) => ({
    listing_id: `${number}`,
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
    based_on: null,
  }),
  watch_intervals: ({ number, mark }) => ({
    source: mark,
    interval_seconds: number,
    spent_until: day(number),
  }),
};

// Said with a write and never kept.
export const NEVER_KEPT = ["filter_settings.based_on", "searches.based_on"];

// What a function with parameters is called with: a thing of the owner's.
export const ARGUMENTS: Record<string, (owner: Person) => Promise<Row> | Row> = {
  create_telegram_link: () => ({ search_id: uuid(1) }),
  delete_my_account: ({ email }) => ({ current_password: email.replace("@example.com", "-password") }),
  // A link is nobody's: only one that may not be saved is refused, and so it stands for another's here.
  preview_search: ({ email }) => ({
    filter_url: email.startsWith("runs-")
      ? "https://www.idealista.com/alquiler-viviendas/madrid-madrid/"
      : "https://example.com/",
  }),
  // Alice found this one, and so did whoever runs these for themselves.
  mark_find: () => ({ listing_id: "1", mark: "hidden" }),
  my_find: () => ({ listing_id: "1" }),
  my_finds: () => ({ page_size: 24 }),
  note_find: () => ({ listing_id: "1", note: "theirs" }),
  end_my_session: async ({ client }) => ({ session_id: (await client.rpc("my_sessions")).data[0].id }),
  send_test_message: () => ({ chat_id: 5001 }),
};

const day = (number: number) => `2026-01-0${number}T00:00:00+00:00`;
const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

export function rowFor(name: string, owner: Owner): Row {
  const make = ROWS[name];
  if (!make) throw new Error(`public.${name} is served and has no row in ROWS of the access matrix`);
  return make(owner);
}

const NAME_WIDTH = 34;
const RIGHT_WIDTH = 8;

export const linesIn = (table: string) => table.split("\n").slice(1, -1);
export const namesIn = (table: string) =>
  linesIn(table)
    .slice(1)
    .map((line) => line.slice(0, NAME_WIDTH).trim());

/** As the tables above are written. */
export const lineOf = (name: string, rights: string[]) =>
  `${name.padEnd(NAME_WIDTH)}${rights.map((right) => `${right || "-"} `.padEnd(RIGHT_WIDTH)).join("")}`.trimEnd();

/** The part of a row that its owner may insert. */
export function insertable({ name }: Relation, row: Row): Row {
  const lines = linesIn(RELATIONS);
  const isInsertable = (column: string) =>
    lines
      .find((line) => line.startsWith(`${name}.${column} `))
      ?.slice(NAME_WIDTH + RIGHT_WIDTH)
      .startsWith("ri");
  return Object.fromEntries(Object.entries(row).filter(([column]) => isInsertable(column)));
}
