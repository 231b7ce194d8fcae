-- Alert mails of the portals: the address each person has for them, and what came there.

create table public.mail_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The part before the @. It is as long as a key: a sender who knows it can add to the person's finds.
  token text not null unique check (token ~ '^[0-9a-f]{32}$'),
  -- Mails that were sent before are a backlog.
  created_at timestamptz not null default now(),
  -- A mail provider's question whether mail may be forwarded here, until the person has answered it.
  forwarding_code text check (forwarding_code ~ '^\d{6,12}$'),
  forwarding_link text check (char_length(forwarding_link) <= 500),
  forwarding_asked_at timestamptz
);
comment on table public.mail_addresses is 'The address to which a person lets a portal send alert mails.';

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
  -- Why it was not used, in a few words of ours.
  why text check (char_length(why) <= 200),
  portal text check (portal in ('idealista.com', 'idealista.it', 'idealista.pt', 'fotocasa', 'habitaclia', 'yaencontre')),
  -- Adverts in it that could be read, and those of them that the person did not have yet.
  listing_count integer not null default 0 check (listing_count >= 0),
  new_count integer not null default 0 check (new_count >= 0)
);
comment on table public.received_mails is 'The outcome of each mail that came for a person; nothing of its text.';
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
comment on table watch.mail_renewals is 'When a person asked for an address in the last day, to limit how often.';

-- A replaced address receives nothing any more.
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
  -- A sender that missed the answer sends again: equal bytes for one person are one mail.
  digest bytea not null,
  done_at timestamptz,
  -- Counted before each try: a mail that kills the process must end too.
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  constraint mail_is_kept_once unique (user_id, digest),
  constraint mail_has_its_text_until_done check (raw is not null or done_at is not null)
);
comment on table watch.mails is
  'Alert mails that were accepted: whole until they are read, then for some days their digests alone.';
create index mails_by_age on watch.mails (received_at);
create index mails_to_be_read on watch.mails (next_try_at) where done_at is null;
create index mails_done on watch.mails (done_at) where done_at is not null;

create table watch.mailboxes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- A digest of server, login and folder: another mailbox is read from the start.
  mailbox text not null check (char_length(mailbox) <= 64),
  uid_validity bigint not null,
  last_uid bigint not null,
  -- The youngest mail seen: where to continue when the server has renumbered its mails.
  seen_at timestamptz not null
);
comment on table watch.mailboxes is 'How far the mailbox of a person was read.';

-- Another source does not notify again of a price that a mail has brought, and an older mail that comes late changes no price.
create table watch.mail_listings (
  user_id uuid not null references auth.users (id) on delete cascade,
  listing_id text not null,
  price_eur double precision not null,
  sent_at timestamptz not null,
  -- When an alert was written of it from a mail older than the person's address: only a few are.
  backlog_told_at timestamptz,
  -- AlertListing in src/core/alert/alert.ts, with its zone.
  listing jsonb check (jsonb_typeof(listing) = 'object'),
  primary key (user_id, listing_id),
  foreign key (user_id, listing_id) references public.listings (user_id, listing_id) on delete cascade
);
comment on table watch.mail_listings is 'Listings that came to a person by mail, and the price in the latest mail.';

-- A feed that meets one completes the rows of it.
create index mail_listings_by_listing on watch.mail_listings (listing_id);

-- No person, no advert's text. A listing that a feed has met is not counted here.
create table watch.mail_figures (
  listing_id text primary key check (char_length(listing_id) between 1 and 64),
  market_key text not null,
  price_per_m2_eur double precision not null,
  last_seen_at timestamptz not null
);
comment on table watch.mail_figures is 'What adverts in alert mails ask for a square metre, by place.';
create index mail_figures_of_a_market on watch.mail_figures (market_key, last_seen_at) include (price_per_m2_eur);
create index mail_figures_by_age on watch.mail_figures (last_seen_at);

create function watch.is_served_by_mail(person uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.received_mails
    where user_id = person and outcome in ('alert', 'digest') and received_at > now() - interval '30 days'
  );
$$;
comment on function watch.is_served_by_mail(uuid) is 'Whether a portal''s alert mails have come for a person lately.';

revoke execute on all functions in schema watch from public;
revoke execute on function public.renew_mail_address() from public, anon;
grant execute on function public.renew_mail_address() to authenticated;
