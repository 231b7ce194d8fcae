-- First checks were counted by account alone, and one Telegram account can have several. They are now counted by chat and by
-- network address too, and the first checks of all newcomers together by day. Who may begin is decided in
-- src/watcher/plan/admit-first-checks.ts.
-- One row a person, so none of this takes long.
alter table watch.first_checks drop constraint first_checks_pkey;
-- squawk-ignore ban-drop-not-null
alter table watch.first_checks alter column user_id drop not null;
-- squawk-ignore adding-foreign-key-constraint
alter table watch.first_checks add column chat_id bigint references watch.chats (chat_id) on delete cascade;
alter table watch.first_checks
  -- As in private.known_addresses: a keyed hash.
  add column address_hash bytea,
  -- Of a person: the very first. Everybody who is here already has been for long.
  add column first_at timestamptz not null default 'epoch';
alter table watch.first_checks alter column first_at drop default;
-- squawk-ignore constraint-missing-not-valid
alter table watch.first_checks add constraint first_checks_are_of_one check (num_nonnulls(user_id, chat_id, address_hash) = 1);
-- squawk-ignore constraint-missing-not-valid, disallowed-unique-constraint
alter table watch.first_checks add constraint first_checks_exist_once unique nulls not distinct (user_id, chat_id, address_hash);
-- squawk-ignore require-concurrent-index-creation
create index first_checks_of_chats on watch.first_checks (chat_id) where chat_id is not null;
-- squawk-ignore require-concurrent-index-creation
create index first_checks_of_addresses on watch.first_checks (address_hash) where address_hash is not null;

insert into watch.first_checks (user_id, whole_at, first_at)
select distinct user_id, now(), 'epoch'::timestamptz from watch.searches where begun_at is not null
on conflict (user_id, chat_id, address_hash) do nothing;

comment on table watch.first_checks is
  'How many first checks a person, a chat or a network address has had lately: each new search costs several requests.';

create table watch.newcomer_checks (
  source text not null,
  day date not null,
  checks integer not null check (checks > 0),
  primary key (source, day)
);

comment on table watch.newcomer_checks is 'First checks of people who came in the last days, by source and day.';

create table watch.waiting_searches (
  search_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  until timestamptz not null
);
create index waiting_searches_of_a_person on watch.waiting_searches (user_id);

comment on table watch.waiting_searches is 'Searches whose first check waits for requests, and until when.';

-- Added to whatever else the state says by now.
do $$
declare
  former constant text := pg_get_functiondef('watch.state_of_search(uuid)'::regprocedure);
  known constant text := $text$'spent_until', spent.until,$text$;
begin
  if position(known in former) = 0 then
    raise exception 'watch.state_of_search does not say until when requests are spent';
  end if;
  execute replace(former, known, known || $text$
    'waits_until', (
      select waiting.until from watch.waiting_searches as waiting where waiting.search_id = search and waiting.until > now()
    ),$text$);
end;
$$;
