-- Alert mails of the portals: the address each person has for them, what came there, and when each source saw an event.

create table public.mail_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- What stands before the @: whoever knows it can write to the person's hunt, so it is as long as a key.
  token text not null unique check (token ~ '^[0-9a-f]{32}$'),
  -- Mails that were sent before are a backlog.
  created_at timestamptz not null default now(),
  -- A mail provider's question whether mail may be forwarded here, until the person has answered it.
  forwarding_code text check (forwarding_code ~ '^\d{6,12}$'),
  forwarding_link text check (char_length(forwarding_link) <= 500),
  forwarding_asked_at timestamptz
);

comment on table public.mail_addresses is 'The address to which a person lets a portal''s alert mails come.';

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
  -- waiting-for-key: whether to believe it cannot be told yet. The others are final.
  outcome text not null check (
    outcome in (
      'alert', 'digest', 'forwarding-question', 'not-an-alert', 'unreadable', 'not-signed', 'waiting-for-key'
    )
  ),
  -- Why it was not used, in a few words of ours.
  why text check (char_length(why) <= 200),
  portal text check (portal in ('idealista.com', 'idealista.it', 'idealista.pt', 'fotocasa', 'habitaclia', 'yaencontre')),
  -- Adverts in it that could be read, and those of them that the person did not have yet.
  listing_count integer not null default 0 check (listing_count >= 0),
  new_count integer not null default 0 check (new_count >= 0)
);

comment on table public.received_mails is 'What became of each mail that came for a person; nothing of its text.';

create index received_mails_newest_of_a_person on public.received_mails (user_id, received_at desc);
create index received_mails_by_age on public.received_mails (received_at);

alter table public.received_mails enable row level security;
revoke all on public.received_mails from anon, authenticated;
grant select on public.received_mails to authenticated;

create policy "People read what became of their mails" on public.received_mails
  for select to authenticated using ((select auth.uid()) = user_id);

alter publication supabase_realtime add table public.received_mails;

-- Gives the caller an address, or another one: the former takes nothing any more.
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

revoke execute on function public.renew_mail_address() from public, anon;
grant execute on function public.renew_mail_address() to authenticated;

create table watch.mail_renewals (
  user_id uuid not null references auth.users (id) on delete cascade,
  renewed_at timestamptz not null default clock_timestamp(),
  primary key (user_id, renewed_at)
);

comment on table watch.mail_renewals is 'When a person asked for an address, for a day: what limits how often.';

-- A mail that was acknowledged, until it is dealt with. The job that deals with it is written in the same transaction.
create table watch.mails (
  -- Also the id of its row in public.received_mails.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  raw bytea not null,
  received_at timestamptz not null,
  -- Senders send again when the answer was lost: equal bytes for one person are one mail.
  digest bytea not null,
  constraint mail_is_kept_once unique (user_id, digest)
);

comment on table watch.mails is 'Alert mails that were accepted and are still to be read.';

create index mails_by_age on watch.mails (received_at);

-- Figures of the market out of people's mails: no person, no advert's text. A listing that a feed has met is not counted here.
create table watch.mail_figures (
  listing_id text primary key check (char_length(listing_id) between 1 and 64),
  market_key text not null,
  price_per_m2_eur double precision not null,
  last_seen_at timestamptz not null
);

comment on table watch.mail_figures is 'What adverts in alert mails ask for a square metre, by place.';

create index mail_figures_of_a_market on watch.mail_figures (market_key, last_seen_at) include (price_per_m2_eur);

alter table watch.alerts
  -- official, by-url or mail; null for what no source saw.
  add column source text check (source in ('official', 'by-url', 'mail')),
  -- When the event became visible to us by that source.
  add column seen_at timestamptz;

-- The first time each source saw an event, to compare them. Nothing of a person.
create table watch.sightings (
  listing_id text not null check (char_length(listing_id) between 1 and 64),
  -- As in watch.alerts; '' for the advert itself.
  event_key text not null default '' check (char_length(event_key) <= 200),
  source text not null check (source in ('official', 'by-url', 'mail')),
  seen_at timestamptz not null,
  primary key (listing_id, event_key, source)
);

comment on table watch.sightings is 'When each source first saw an advert or its price cut.';

create index sightings_by_age on watch.sightings (seen_at);

alter table watch.alerts drop constraint alerts_kind_check;
-- squawk-ignore constraint-missing-not-valid
alter table watch.alerts add constraint alerts_kind_check check (
  kind in (
    'new', 'price-drop', 'back', 'readvertised', 'gone', 'watch-started', 'source-down', 'source-up', 'question',
    'connected', 'test', 'forwarding-question'
  )
);
