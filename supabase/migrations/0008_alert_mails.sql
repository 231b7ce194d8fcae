-- The portals' alert mails: each person's address for them, and the mails received there.

create table public.mail_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The part before the @. It is as long as a key, because anyone who knows it can add to the person's finds.
  token text not null unique check (token ~ '^[0-9a-f]{32}$'),
  -- Mails sent before this are a backlog.
  created_at timestamptz not null default now(),
  -- The confirmation code of a mail provider's forwarding request, until the person has used it.
  forwarding_code text check (forwarding_code ~ '^\d{6,12}$'),
  forwarding_link text check (char_length(forwarding_link) <= 500),
  forwarding_asked_at timestamptz
);
comment on table public.mail_addresses is 'The address at which a person receives a portal''s alert mails.';

alter table public.mail_addresses enable row level security;
revoke all on public.mail_addresses from anon, authenticated;
grant select on public.mail_addresses to authenticated;

create policy "People read their own mail address" on public.mail_addresses
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.mail_addresses;

create table public.received_mails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  received_at timestamptz not null default now(),
  -- waiting-for-key: its signature cannot be checked yet. The others are final.
  outcome text not null check (
    outcome in (
      'alert', 'digest', 'forwarding-question', 'not-an-alert', 'unreadable', 'not-signed', 'waiting-for-key'
    )
  ),
  -- Why it was not used, in a few words.
  why text check (char_length(why) <= 200),
  portal text check (portal in ('idealista.com', 'idealista.it', 'idealista.pt', 'fotocasa', 'habitaclia', 'yaencontre')),
  -- Listings in it that could be parsed, and those that were new to the person.
  listing_count integer not null default 0 check (listing_count >= 0),
  new_count integer not null default 0 check (new_count >= 0)
);
comment on table public.received_mails is 'The outcome of each mail received for a person, without its text.';
create index received_mails_newest_of_a_person on public.received_mails (user_id, received_at desc);
create index received_mails_by_age on public.received_mails (received_at);

alter table public.received_mails enable row level security;
revoke all on public.received_mails from anon, authenticated;
grant select on public.received_mails to authenticated;

create policy "People read what became of their mails" on public.received_mails
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.received_mails;

create table watch.mail_renewals (
  user_id uuid not null references auth.users (id) on delete cascade,
  renewed_at timestamptz not null default clock_timestamp(),
  primary key (user_id, renewed_at)
);
comment on table watch.mail_renewals is 'When a person requested a new address in the last day, for a rate limit.';

-- The replaced address stops receiving mails.
create function public.renew_mail_address() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform pg_advisory_xact_lock(hashtextextended('mail-address ' || me, 0));
  if (select count(*) from watch.mail_renewals where user_id = me and renewed_at > now() - interval '1 day') >= 10 then
    raise exception 'Ten addresses a day are enough' using errcode = 'PT429', detail = 'too-many-addresses';
  end if;
  delete from watch.mail_renewals where user_id = me and renewed_at <= now() - interval '1 day';
  insert into watch.mail_renewals (user_id) values (me);
  insert into public.mail_addresses (user_id, token) values (me, replace(gen_random_uuid()::text, '-', ''))
  on conflict (user_id) do update set
    token = excluded.token, created_at = now(), forwarding_code = null, forwarding_link = null, forwarding_asked_at = null;
end;
$$;
comment on function public.renew_mail_address() is 'Gives the caller a new address for alert mails, ten a day.';

-- The job that reads a mail is written in the same transaction.
create table watch.mails (
  -- Also the id of its row in public.received_mails.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  raw bytea,
  received_at timestamptz not null,
  -- A sender that missed our answer sends again: equal bytes for one person are the same mail.
  digest bytea not null,
  done_at timestamptz,
  -- Counted before each attempt: a mail that crashes the process must be given up too.
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  constraint mail_is_kept_once unique (user_id, digest),
  constraint mail_has_its_text_until_done check (raw is not null or done_at is not null)
);
comment on table watch.mails is
  'Accepted alert mails: complete until they are read, then only their digests for some days.';
create index mails_by_age on watch.mails (received_at);
create index mails_to_be_read on watch.mails (next_try_at) where done_at is null;
create index mails_done on watch.mails (done_at) where done_at is not null;

create table watch.mailboxes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- A digest of server, login and folder: another mailbox is read from the start.
  mailbox text not null check (char_length(mailbox) <= 64),
  uid_validity bigint not null,
  last_uid bigint not null,
  -- The newest mail seen: where to continue if the server has renumbered its mails.
  seen_at timestamptz not null
);
comment on table watch.mailboxes is 'How far a person''s mailbox has been read.';

-- Other sources do not report again a price that a mail has brought, and a late, older mail does not change a price.
create table watch.mail_listings (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null,
  price_eur double precision not null,
  sent_at timestamptz not null,
  -- When an alert was written from a mail older than the person's address; there are only a few such alerts.
  backlog_alerted_at timestamptz,
  -- AlertListing in src/core/alert/alert.ts, with its zone.
  listing jsonb check (jsonb_typeof(listing) = 'object'),
  primary key (user_id, listing_id),
  foreign key (user_id, listing_id) references public.listings (user_id, listing_id) on delete cascade
);
comment on table watch.mail_listings is 'Listings that came to a person by mail, and the price in the latest mail.';

-- A feed that meets such a listing completes its rows.
create index mail_listings_by_listing on watch.mail_listings (listing_id);

-- No personal data and no listing texts. Listings that a feed has met are not counted here.
create table watch.mail_figures (
  listing_id text primary key check (char_length(listing_id) between 1 and 64),
  -- As in watch.portal_listings.
  place_id text not null,
  place_name text not null,
  operation text not null check (operation in ('sale', 'rent')),
  price_per_m2_eur double precision not null,
  last_seen_at timestamptz not null
);
comment on table watch.mail_figures is 'Prices per square metre of homes in alert mails, by zone.';
create index mail_figures_of_a_town on watch.mail_figures (left(place_id, 21), last_seen_at);
create index mail_figures_by_age on watch.mail_figures (last_seen_at);

create function watch.is_served_by_mail(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.received_mails
    where user_id = person and outcome in ('alert', 'digest') and received_at > now() - interval '30 days'
  );
$$;
comment on function watch.is_served_by_mail(uuid) is 'Whether a person has recently received a portal''s alert mails.';

revoke execute on all functions in schema watch from public;
revoke execute on function public.renew_mail_address() from public, anon;
grant execute on function public.renew_mail_address() to authenticated;
