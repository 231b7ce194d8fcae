// What each caller may do with what is served. A new table, view, column or function gets a line here, and a table also a row in
// access-rows.ts; access-matrix.db.test.ts fails until it has them.
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
chats.receives                    -       ru      -
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
filter_settings.name              -       riu     -
filter_settings.quiet_from        -       riu     -
filter_settings.quiet_until       -       riu     -
filter_settings.rules             -       r       -
filter_settings.is_folded         -       r       -
find_settings                     -       d       -
find_settings.user_id             -       riu     -
find_settings.hidden_warnings     -       riu     -
find_settings.who                 -       riu     -
find_settings.job                 -       riu     -
find_settings.moving_from         -       riu     -
find_settings.about               -       riu     -
find_settings.updated_at          -       r       -
left_outs                         -       -       -
left_outs.user_id                 -       r       -
left_outs.listing_id              -       r       -
left_outs.search_id               -       r       -
left_outs.rule                    -       r       -
left_outs.payload                 -       -       -
left_outs.left_out_at             -       r       -
left_outs.returned_at             -       r       -
listings                          -       -       -
listings.listing_id               -       r       -
listings.user_id                  -       r       -
listings.created_at               -       r       -
listings.details                  -       r       -
listings.search_ids               -       r       -
listings.home_id                  -       r       -
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
marks.home_id                     -       r       -
own_places                        -       d       -
own_places.id                     -       ri      -
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
profiles.mails_when_away          -       ru      -
profiles.time_zone                -       ru      -
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
searches.id                       -       ri      -
searches.user_id                  -       riu     -
searches.first_of                 -       riu     -
searches.is_first                 -       r       -
searches.filter_url               -       riu     -
searches.receiver_ids             -       riu     -
searches.name                     -       riu     -
searches.is_paused                -       riu     -
searches.quiet_from               -       riu     -
searches.quiet_until              -       riu     -
searches.rules                    -       riu     -
searches.is_folded                -       riu     -
searches.created_at               -       r       -
searches.updated_at               -       r       -
watch_intervals                   -       -       -
watch_intervals.source            r       r       r
watch_intervals.interval_seconds  r       r       r
watch_intervals.spent_until       r       r       r
`;

// The methods by which it runs. Guests run only what is public.
export const FUNCTIONS = `
                                  guest   person
allow_telegram_link(text, text)   -       POST
bring_back(text)                  -       POST
create_telegram_link(uuid)        -       POST
delete_my_account(text)           -       POST
describe_address_link(text)       POST    POST
end_my_session(uuid)              -       POST
export_my_data()                  -       POST
has_password()                    -       GET HEAD POST
mail_alert_steps()                -       POST
mark_find(text, text, jsonb)      -       POST
measured_figures()                GET HEAD POST GET HEAD POST
my_failed_alerts()                -       GET HEAD POST
my_find(text)                     -       GET HEAD POST
my_find_points(jsonb)             -       GET HEAD POST
my_finds(jsonb, text, integer)    -       GET HEAD POST
my_left_out_counts(uuid)          -       GET HEAD POST
my_past_homes(uuid)               -       GET HEAD POST
my_security_events()              -       GET HEAD POST
my_sessions()                     -       GET HEAD POST
my_watches()                      -       GET HEAD POST
note_find(text, text, jsonb)      -       POST
preview_search(text)              -       POST
refuse_address(text)              POST    POST
renew_mail_address()              -       POST
save_first(text, text[], text[])  -       POST
send_test_message(bigint)         -       POST
unlink_telegram(text, boolean)    -       POST
watch_listing(text)               -       POST
`;

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
