-- Written by `npm run types` from the migrations; not to be edited.

-- Mails about an account that wait to become jobs.
create table private.account_mails (
  id bigint not null generated always as identity,
  kind text not null,
  user_id uuid,
  chat_id bigint,
  email text,
  language text,
  browser text,
  platform text,
  created_at timestamp with time zone not null default now(),
  is_proven boolean not null default false,
  constraint account_mails_email_check CHECK ((char_length(email) <= 320)),
  constraint account_mails_kind_check CHECK ((kind = ANY (ARRAY['password-changed'::text, 'chat-connected'::text, 'account-deleted'::text, 'chats-lost'::text, 'new-browser'::text, 'alert-mail-steps'::text, 'telegram-linked'::text, 'telegram-unlinked'::text, 'alerts-waiting'::text, 'access-ended'::text]))),
  constraint account_mails_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint account_mails_pkey PRIMARY KEY (id),
  constraint account_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint browser_is_named_for_its_kind CHECK (((kind = 'new-browser'::text) = ((browser IS NOT NULL) AND (platform IS NOT NULL)))),
  constraint chat_is_named_for_its_kind CHECK (((kind = 'chat-connected'::text) = (chat_id IS NOT NULL))),
  constraint mail_has_one_way_to_its_reader CHECK (((user_id IS NULL) = (email IS NOT NULL)))
);
CREATE INDEX account_mails_of_a_person ON private.account_mails USING btree (user_id);
CREATE TRIGGER account_mails_are_announced AFTER INSERT ON private.account_mails FOR EACH STATEMENT EXECUTE FUNCTION private.announce('account_mails');
CREATE TRIGGER notices_without_address_go_to_the_chat BEFORE INSERT ON private.account_mails FOR EACH ROW EXECUTE FUNCTION private.write_notice_instead();
alter table private.account_mails enable row level security;

-- When a person's grants were last ended. What was signed for the person before opens nothing, though it is stored nowhere.
create table private.ended_grants (
  user_id uuid not null,
  ended_at timestamp with time zone not null,
  constraint ended_grants_pkey PRIMARY KEY (user_id),
  constraint ended_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table private.ended_grants enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- Remaining allowances: of wrong passwords per account, of mails per address, and of accounts made in chats.
create table private.guard_allowances (
  key bytea not null,
  tokens double precision not null,
  refilled_at timestamp with time zone not null,
  full_at timestamp with time zone not null,
  constraint guard_allowances_pkey PRIMARY KEY (key)
);
CREATE INDEX guard_allowances_by_full_at ON private.guard_allowances USING btree (full_at);
alter table private.guard_allowances enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- The latest network addresses an account signed in from: a stranger's guesses do not lock its owner out there.
create table private.known_addresses (
  user_id uuid not null,
  address_hash bytea not null,
  last_used_at timestamp with time zone not null,
  constraint known_addresses_pkey PRIMARY KEY (user_id, address_hash),
  constraint known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table private.known_addresses enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- Browsers that accounts were signed in with, by keyed hash of family and platform.
create table private.known_browsers (
  user_id uuid not null,
  browser_hash bytea not null,
  last_used_at timestamp with time zone not null,
  session_id uuid,
  mailed_at timestamp with time zone,
  constraint known_browsers_pkey PRIMARY KEY (user_id, browser_hash),
  constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX known_browsers_by_last_use ON private.known_browsers USING btree (last_used_at);
alter table private.known_browsers enable row level security;

-- One-time links of the embedded auth service: the latest three of each kind. Hosted Supabase keeps its own.
create table private.mailed_links (
  token_hash text not null,
  user_id uuid not null,
  kind text not null,
  email text not null,
  sent_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint mailed_links_email_check CHECK ((char_length(email) <= 320)),
  constraint mailed_links_kind_check CHECK ((kind = ANY (ARRAY['recovery'::text, 'signup'::text, 'email_change'::text]))),
  constraint mailed_links_pkey PRIMARY KEY (token_hash),
  constraint mailed_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX mailed_links_by_end ON private.mailed_links USING btree (expires_at);
CREATE INDEX mailed_links_of_a_person ON private.mailed_links USING btree (user_id, kind);
alter table private.mailed_links enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- Accounts whose address was proved by mail or by Google.
create table private.proven_addresses (
  user_id uuid not null,
  proved_at timestamp with time zone not null default now(),
  constraint proven_addresses_pkey PRIMARY KEY (user_id),
  constraint proven_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table private.proven_addresses enable row level security;

-- Security events of accounts; repeats from one browser within an hour are one row with a count.
create table private.security_events (
  id bigint not null generated always as identity,
  user_id uuid not null,
  kind text not null,
  browser text,
  platform text,
  times integer not null default 1,
  began_at timestamp with time zone not null,
  happened_at timestamp with time zone not null,
  constraint security_events_browser_check CHECK ((char_length(browser) <= 30)),
  constraint security_events_kind_check CHECK ((kind = ANY (ARRAY['sign_in'::text, 'sign_up'::text, 'mini_app'::text, 'wrong_password'::text, 'password_changed'::text, 'password_reset'::text, 'session_ended'::text, 'chat_connected'::text, 'chat_removed'::text, 'export'::text, 'telegram_linked'::text, 'telegram_unlinked'::text, 'email_added'::text]))),
  constraint security_events_pkey PRIMARY KEY (id),
  constraint security_events_platform_check CHECK ((char_length(platform) <= 30)),
  constraint security_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX security_events_by_time ON private.security_events USING btree (happened_at);
CREATE INDEX security_events_of_a_person ON private.security_events USING btree (user_id, happened_at);
alter table private.security_events enable row level security;

-- The keys of the embedded Supabase, shared by all processes; one of each name is current.
create table private.server_keys (
  name text not null,
  value text not null,
  made_at timestamp with time zone not null default now(),
  honoured_until timestamp with time zone,
  constraint server_keys_name_check CHECK ((name = ANY (ARRAY['jwt_secret'::text, 'publishable_key'::text, 'hash_secret'::text]))),
  constraint server_keys_pkey PRIMARY KEY (name, value),
  constraint server_keys_value_check CHECK ((length(value) >= 32))
);
CREATE UNIQUE INDEX server_keys_in_use ON private.server_keys USING btree (name) WHERE (honoured_until IS NULL);
alter table private.server_keys enable row level security;

-- Accounts made in the last 24 hours, one row each, by keyed hash of the address; the next sign-up deletes older rows.
create table private.sign_ups (
  id bigint not null generated always as identity,
  address text not null,
  at timestamp with time zone not null,
  constraint sign_ups_address_check CHECK (((length(address) >= 1) AND (length(address) <= 100))),
  constraint sign_ups_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_ups_by_address ON private.sign_ups USING btree (address, at);
CREATE INDEX sign_ups_by_time ON private.sign_ups USING btree (at);
alter table private.sign_ups enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- Launches of the Mini App by the hash of their signature, with the session that each opened last. A second use replaces that session.
create table private.telegram_launches (
  launch bytea not null,
  user_id uuid,
  session_id uuid not null,
  opened_at timestamp with time zone not null,
  uses integer not null default 1,
  constraint telegram_launches_launch_check CHECK ((octet_length(launch) = 32)),
  constraint telegram_launches_pkey PRIMARY KEY (launch),
  constraint telegram_launches_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint telegram_launches_uses_check CHECK ((uses > 0))
);
CREATE INDEX telegram_launches_by_time ON private.telegram_launches USING btree (opened_at);
CREATE INDEX telegram_launches_of_a_person ON private.telegram_launches USING btree (user_id);
alter table private.telegram_launches enable row level security;
create policy "The auth service reads and writes" for all to sereno_auth using true with check true;

-- Flows that may link a Telegram user within ten minutes; the last one of each session.
create table private.telegram_links (
  flow_id uuid not null,
  session_id uuid not null,
  user_id uuid not null,
  allowed_at timestamp with time zone not null default now(),
  constraint telegram_links_pkey PRIMARY KEY (flow_id),
  constraint telegram_links_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint telegram_links_session_id_key UNIQUE (session_id),
  constraint telegram_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX telegram_links_of_a_person ON private.telegram_links USING btree (user_id);
alter table private.telegram_links enable row level security;

-- The chats that a person's searches notify, each with its state, which bot and sender update.
create table public.chats (
  user_id uuid not null,
  chat_id bigint not null,
  kind text,
  title text,
  state text not null,
  reason text,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  receives text not null default 'everything'::text,
  constraint a_name_needs_a_yes CHECK (((confirmed_at IS NOT NULL) OR ((title IS NULL) AND (kind IS NULL)))),
  constraint chats_kind_check CHECK ((kind = ANY (ARRAY['private'::text, 'group'::text, 'supergroup'::text, 'channel'::text]))),
  constraint chats_pkey PRIMARY KEY (user_id, chat_id),
  constraint chats_reason_check CHECK ((reason = ANY (ARRAY['full'::text, 'too-many-questions'::text, 'not-started'::text, 'not-found'::text, 'deactivated'::text, 'kicked'::text, 'left'::text, 'deleted'::text, 'no-rights'::text, 'blocked'::text, 'said-no'::text, 'stopped'::text, 'ended'::text]))),
  constraint chats_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'connected'::text, 'declined'::text, 'blocked'::text, 'unreachable'::text]))),
  constraint chats_title_check CHECK ((char_length(title) <= 300)),
  constraint chats_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint receives_is_known CHECK ((receives = ANY (ARRAY['everything'::text, 'kept'::text, 'kept-by-two'::text])))
);
CREATE INDEX chats_by_chat ON public.chats USING btree (chat_id);
CREATE TRIGGER chats_are_announced AFTER INSERT OR DELETE OR UPDATE OF state ON public.chats FOR EACH ROW EXECUTE FUNCTION private.announce_reachable();
CREATE TRIGGER chats_end_coverage AFTER DELETE OR UPDATE OF state, reason, chat_id ON public.chats FOR EACH ROW EXECUTE FUNCTION private.end_coverage_of_lost_chat();
CREATE TRIGGER chats_follow_receives BEFORE INSERT OR UPDATE OF state, confirmed_at ON public.chats FOR EACH ROW WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id)) EXECUTE FUNCTION private.follow_receives();
CREATE TRIGGER chats_touch_updated_at BEFORE UPDATE ON public.chats FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER chats_wait_for_first_save BEFORE INSERT ON public.chats FOR EACH ROW WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id)) EXECUTE FUNCTION private.wait_for_first_save();
CREATE TRIGGER follow_chat_state AFTER INSERT OR DELETE OR UPDATE OF state ON public.chats FOR EACH ROW EXECUTE FUNCTION private.follow_chat_state();
alter table public.chats enable row level security;
create policy "People choose what their own chats receive" for update to authenticated using (( SELECT auth.uid() AS uid) = user_id) with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People read their own chats" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select on public.chats to authenticated;
grant update (receives) on public.chats to authenticated;

-- Listings of the fixed demo filter, shown to guests on the landing page.
create table public.demo_listings (
  demo_id text not null,
  filter_id uuid not null,
  created_at timestamp with time zone not null default now(),
  details jsonb not null,
  constraint demo_listings_demo_id_check CHECK (((char_length(demo_id) >= 1) AND (char_length(demo_id) <= 64))),
  constraint demo_listings_details_check CHECK (((jsonb_typeof(details) = 'object'::text) AND (pg_column_size(details) <= 16384))),
  constraint demo_listings_pkey PRIMARY KEY (filter_id, demo_id)
);
CREATE INDEX demo_listings_newest_of_a_filter ON public.demo_listings USING btree (filter_id, created_at DESC);
alter table public.demo_listings enable row level security;
create policy "Guests read the demo listings" for select to anon using true;
create policy "People read the demo listings" for select to authenticated using true;
grant select on public.demo_listings to anon;
grant select on public.demo_listings to authenticated;

-- Which warnings a person wants to see, and what their message to an advertiser says about them.
create table public.find_settings (
  user_id uuid not null default auth.uid(),
  hidden_warnings text[] not null default '{}'::text[],
  who text,
  job text,
  moving_from text,
  about text,
  updated_at timestamp with time zone not null default now(),
  constraint find_settings_about_check CHECK ((((char_length(about) >= 1) AND (char_length(about) <= 300)) AND (about ~ '\S'::text))),
  constraint find_settings_job_check CHECK ((((char_length(job) >= 1) AND (char_length(job) <= 300)) AND (job ~ '\S'::text))),
  constraint find_settings_moving_from_check CHECK ((((char_length(moving_from) >= 1) AND (char_length(moving_from) <= 300)) AND (moving_from ~ '\S'::text))),
  constraint find_settings_pkey PRIMARY KEY (user_id),
  constraint find_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint find_settings_who_check CHECK ((((char_length(who) >= 1) AND (char_length(who) <= 300)) AND (who ~ '\S'::text))),
  constraint warnings_are_known CHECK (((cardinality(hidden_warnings) <= 9) AND (COALESCE(array_ndims(hidden_warnings), 1) = 1) AND (hidden_warnings <@ ARRAY['far-below-zone'::text, 'no-photo'::text, 'seasonal'::text, 'shared-flat'::text, 'auction'::text, 'bare-ownership'::text, 'occupied'::text, 'pay-before-viewing'::text, 'same-text'::text])))
);
CREATE TRIGGER find_settings_touch_updated_at BEFORE UPDATE ON public.find_settings FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
alter table public.find_settings enable row level security;
create policy "People add settings of their own" for insert to authenticated with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People change their own settings" for update to authenticated using (( SELECT auth.uid() AS uid) = user_id) with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People delete their own settings" for delete to authenticated using (( SELECT auth.uid() AS uid) = user_id);
create policy "People read their own settings" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant delete, select on public.find_settings to authenticated;
grant insert (user_id, hidden_warnings, who, job, moving_from, about) on public.find_settings to authenticated;
grant update (user_id, hidden_warnings, who, job, moving_from, about) on public.find_settings to authenticated;

-- Homes that the rules of a search left out, with the rule.
create table public.left_outs (
  user_id uuid not null,
  listing_id text not null,
  search_id uuid not null,
  rule jsonb not null,
  payload jsonb not null,
  left_out_at timestamp with time zone not null default now(),
  returned_at timestamp with time zone,
  constraint left_outs_payload_check CHECK (((jsonb_typeof(payload) = 'object'::text) AND (pg_column_size(payload) <= 16384))),
  constraint left_outs_pkey PRIMARY KEY (user_id, listing_id, search_id),
  constraint left_outs_rule_check CHECK (((jsonb_typeof(rule) = 'object'::text) AND (pg_column_size(rule) <= 4096))),
  constraint left_outs_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint left_outs_user_id_listing_id_fkey FOREIGN KEY (user_id, listing_id) REFERENCES public.listings(user_id, listing_id) ON DELETE CASCADE
);
CREATE INDEX left_outs_by_search ON public.left_outs USING btree (search_id, left_out_at);
alter table public.left_outs enable row level security;
create policy "People read what their rules left out" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select (user_id, listing_id, search_id, rule, left_out_at, returned_at) on public.left_outs to authenticated;

-- Listings found for a person, one row per person and listing.
create table public.listings (
  listing_id text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now(),
  details jsonb not null,
  search_ids uuid[] not null default '{}'::uuid[],
  home_id text,
  constraint listings_details_check CHECK (((jsonb_typeof(details) = 'object'::text) AND (pg_column_size(details) <= 16384))),
  constraint listings_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint listings_name_the_home CHECK ((home_id IS NOT NULL)),
  constraint listings_pkey PRIMARY KEY (user_id, listing_id),
  constraint listings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX listings_by_age ON public.listings USING btree (created_at);
CREATE INDEX listings_newest_of_a_person ON public.listings USING btree (user_id, created_at DESC);
CREATE INDEX listings_of_a_home ON public.listings USING btree (home_id, user_id);
CREATE TRIGGER listings_name_the_home BEFORE INSERT ON public.listings FOR EACH ROW WHEN ((new.home_id IS NULL)) EXECUTE FUNCTION watch.name_home();
alter table public.listings enable row level security;
create policy "People read their own listings" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select on public.listings to authenticated;

-- The address at which a person receives a portal's alert mails.
create table public.mail_addresses (
  user_id uuid not null,
  token text not null,
  created_at timestamp with time zone not null default now(),
  forwarding_code text,
  forwarding_link text,
  forwarding_asked_at timestamp with time zone,
  constraint mail_addresses_forwarding_code_check CHECK ((forwarding_code ~ '^\d{6,12}$'::text)),
  constraint mail_addresses_forwarding_link_check CHECK ((char_length(forwarding_link) <= 500)),
  constraint mail_addresses_pkey PRIMARY KEY (user_id),
  constraint mail_addresses_token_check CHECK ((token ~ '^[0-9a-f]{32}$'::text)),
  constraint mail_addresses_token_key UNIQUE (token),
  constraint mail_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table public.mail_addresses enable row level security;
create policy "People read their own mail address" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select on public.mail_addresses to authenticated;

-- Asking prices in a zone in the last 90 days, of the homes Sereno saw; never of fewer than five.
create table public.market_figures (
  place_id text not null,
  place_name text not null,
  operation text not null,
  size_band text not null,
  seen_count integer not null,
  median_per_m2_eur double precision not null,
  low_per_m2_eur double precision not null,
  high_per_m2_eur double precision not null,
  median_days double precision,
  gone_count integer not null,
  cut_percent integer not null,
  prices_per_m2_eur double precision[] not null default '{}'::double precision[],
  constraint market_figures_cut_percent_check CHECK (((cut_percent >= 0) AND (cut_percent <= 100))),
  constraint market_figures_operation_check CHECK ((operation = ANY (ARRAY['sale'::text, 'rent'::text]))),
  constraint market_figures_pkey PRIMARY KEY (place_id, operation, size_band),
  constraint market_figures_seen_count_check CHECK ((seen_count >= 5)),
  constraint market_figures_size_band_check CHECK ((size_band = ANY (ARRAY['all'::text, 'under-50'::text, '50-79'::text, '80-119'::text, '120-up'::text])))
);
alter table public.market_figures enable row level security;
create policy "People read the figures of the market" for select to authenticated using true;
grant select (place_id, place_name, operation, size_band, seen_count, median_per_m2_eur, low_per_m2_eur, high_per_m2_eur, median_days, gone_count, cut_percent) on public.market_figures to authenticated;

-- Listings a person hid or kept, and their notes, from the chat and from the page.
create table public.marks (
  user_id uuid not null,
  listing_id text not null,
  mark text,
  note text,
  chat_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  home_id text not null,
  constraint marks_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint marks_mark_check CHECK ((mark = ANY (ARRAY['hidden'::text, 'kept'::text]))),
  constraint marks_note_check CHECK ((((char_length(note) >= 1) AND (char_length(note) <= 2000)) AND (note ~ '\S'::text))),
  constraint marks_pkey PRIMARY KEY (user_id, home_id),
  constraint marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint says_something CHECK (((mark IS NOT NULL) OR (note IS NOT NULL)))
);
CREATE INDEX marks_by_home ON public.marks USING btree (home_id);
CREATE TRIGGER marks_name_the_home BEFORE INSERT ON public.marks FOR EACH ROW WHEN ((new.home_id IS NULL)) EXECUTE FUNCTION watch.name_home();
alter table public.marks enable row level security;
create policy "People read their own marks" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select on public.marks to authenticated;

-- Up to three places of a person to which distances are shown, such as work.
create table public.own_places (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  name text not null,
  latitude double precision not null,
  longitude double precision not null,
  created_at timestamp with time zone not null default now(),
  constraint name_is_a_line CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 40)) AND (name = btrim(name)) AND (name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'::text) AND (name ~ '[^\s\u115f\u1160\u2800\u3164]'::text))),
  constraint own_places_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint own_places_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint own_places_pkey PRIMARY KEY (id),
  constraint own_places_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX own_places_identity ON public.own_places USING btree (id, user_id);
CREATE INDEX own_places_of_a_person ON public.own_places USING btree (user_id, created_at, id);
CREATE TRIGGER limit_of_own_places BEFORE INSERT ON public.own_places FOR EACH ROW WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id)) EXECUTE FUNCTION private.limit_own_places();
CREATE TRIGGER travel_times_follow AFTER UPDATE OF latitude, longitude ON public.own_places FOR EACH ROW WHEN (((old.latitude IS DISTINCT FROM new.latitude) OR (old.longitude IS DISTINCT FROM new.longitude))) EXECUTE FUNCTION private.forget_travel_times();
alter table public.own_places enable row level security;
create policy "People add places of their own" for insert to authenticated with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People change their own places" for update to authenticated using (( SELECT auth.uid() AS uid) = user_id) with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People delete their own places" for delete to authenticated using (( SELECT auth.uid() AS uid) = user_id);
create policy "People read their own places" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant delete, select on public.own_places to authenticated;
grant insert (id, user_id, name, latitude, longitude) on public.own_places to authenticated;
grant update (name, latitude, longitude) on public.own_places to authenticated;

-- Name and e-mail of an account, copied from auth.users by a trigger.
create table public.profiles (
  id uuid not null,
  full_name text,
  email text,
  language text,
  mails_when_away boolean not null default true,
  time_zone text,
  constraint language_is_a_code CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint profiles_email_check CHECK ((char_length(email) <= 320)),
  constraint profiles_full_name_check CHECK ((char_length(full_name) <= 200)),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint time_zone_is_spanish CHECK ((time_zone = ANY (ARRAY['Europe/Madrid'::text, 'Atlantic/Canary'::text])))
);
alter table public.profiles enable row level security;
create policy "People choose their own language" for update to authenticated using (( SELECT auth.uid() AS uid) = id) with check (( SELECT auth.uid() AS uid) = id);
create policy "People read their own profile" for select to authenticated using (( SELECT auth.uid() AS uid) = id);
grant select on public.profiles to authenticated;
grant update (language, mails_when_away, time_zone) on public.profiles to authenticated;

-- The outcome of each mail received for a person, without its text.
create table public.received_mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  received_at timestamp with time zone not null default now(),
  outcome text not null,
  why text,
  portal text,
  listing_count integer not null default 0,
  new_count integer not null default 0,
  constraint received_mails_listing_count_check CHECK ((listing_count >= 0)),
  constraint received_mails_new_count_check CHECK ((new_count >= 0)),
  constraint received_mails_outcome_check CHECK ((outcome = ANY (ARRAY['alert'::text, 'digest'::text, 'forwarding-question'::text, 'not-an-alert'::text, 'unreadable'::text, 'not-signed'::text, 'waiting-for-key'::text]))),
  constraint received_mails_pkey PRIMARY KEY (id),
  constraint received_mails_portal_check CHECK ((portal = ANY (ARRAY['idealista.com'::text, 'idealista.it'::text, 'idealista.pt'::text, 'fotocasa'::text, 'habitaclia'::text, 'yaencontre'::text]))),
  constraint received_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint received_mails_why_check CHECK ((char_length(why) <= 200))
);
CREATE INDEX received_mails_by_age ON public.received_mails USING btree (received_at);
CREATE UNIQUE INDEX received_mails_identity ON public.received_mails USING btree (id, user_id);
CREATE INDEX received_mails_newest_of_a_person ON public.received_mails USING btree (user_id, received_at DESC);
alter table public.received_mails enable row level security;
create policy "People read what became of their mails" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant select on public.received_mails to authenticated;

-- The searches a person saved and the Telegram chats that each of them notifies.
create table public.searches (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  first_of uuid,
  is_first boolean not null generated always as ((first_of IS NOT NULL)) stored,
  filter_url text not null,
  receiver_ids text[] not null,
  name text,
  is_paused boolean not null default false,
  quiet_from time without time zone,
  quiet_until time without time zone,
  rules jsonb not null default '[]'::jsonb,
  is_folded boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint filter_settings_user_id_key UNIQUE (first_of),
  constraint filter_url_is_of_the_portal CHECK (((char_length(filter_url) <= 2048) AND (filter_url ~ '^https://www\.idealista\.com/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]+$'::text))),
  constraint filter_url_leads_to_a_search CHECK ((filter_url !~ '^https://www\.idealista\.com/([a-z]{2}/)?inmueble/'::text)),
  constraint first_search_is_of_its_person CHECK ((first_of = user_id)),
  constraint name_is_a_line CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 60)) AND (name = btrim(name)) AND (name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'::text))),
  constraint quiet_hours_have_two_ends CHECK ((((quiet_from IS NULL) = (quiet_until IS NULL)) AND ((quiet_from IS NULL) OR (quiet_from <> quiet_until)))),
  constraint receiver_ids_are_chat_ids CHECK ((((cardinality(receiver_ids) >= 1) AND (cardinality(receiver_ids) <= 10)) AND (array_ndims(receiver_ids) = 1) AND (array_to_string(receiver_ids, ','::text) ~ '^-?[1-9][0-9]{0,12}(,-?[1-9][0-9]{0,12})*$'::text) AND (cardinality(string_to_array(array_to_string(receiver_ids, ','::text), ','::text)) = cardinality(receiver_ids)))),
  constraint receiver_ids_are_named_once CHECK ((array_to_string(receiver_ids, ','::text) !~ '(^|,)(-?[0-9]+),(.*,)?\2(,|$)'::text)),
  constraint rules_are_a_list CHECK (
CASE jsonb_typeof(rules)
    WHEN 'array'::text THEN ((jsonb_array_length(rules) <= 30) AND (pg_column_size(rules) <= 16384))
    ELSE false
END),
  constraint searches_pkey PRIMARY KEY (id),
  constraint searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX searches_identity ON public.searches USING btree (id, user_id);
CREATE INDEX searches_of_a_person ON public.searches USING btree (user_id, created_at, id);
CREATE TRIGGER lock_person_first BEFORE INSERT OR DELETE OR UPDATE ON public.searches FOR EACH STATEMENT EXECUTE FUNCTION private.lock_caller();
CREATE TRIGGER promote_next_search AFTER DELETE ON public.searches FOR EACH ROW WHEN ((old.first_of IS NOT NULL)) EXECUTE FUNCTION private.promote_next_search();
CREATE TRIGGER searches_1_keep_first BEFORE UPDATE ON public.searches FOR EACH ROW WHEN (((old.first_of IS NOT NULL) AND (new.first_of IS DISTINCT FROM old.first_of) AND (new.user_id = old.user_id))) EXECUTE FUNCTION private.refuse_change_of_first_search();
CREATE TRIGGER searches_1_set_owner BEFORE INSERT ON public.searches FOR EACH ROW WHEN ((new.first_of IS NOT NULL)) EXECUTE FUNCTION private.set_search_owner();
CREATE TRIGGER searches_3_limit_running BEFORE UPDATE OF is_paused ON public.searches FOR EACH ROW WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id)) EXECUTE FUNCTION private.limit_running_searches();
CREATE TRIGGER searches_3_place BEFORE INSERT ON public.searches FOR EACH ROW WHEN ((COALESCE(auth.uid(), new.user_id) = new.user_id)) EXECUTE FUNCTION private.place_search();
CREATE TRIGGER searches_4_touch_updated_at BEFORE UPDATE ON public.searches FOR EACH ROW WHEN ((NOT (new.first_of IS DISTINCT FROM old.first_of))) EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER searches_are_announced AFTER INSERT OR DELETE OR UPDATE OF filter_url, receiver_ids, is_paused ON public.searches FOR EACH ROW EXECUTE FUNCTION private.announce_search();
CREATE TRIGGER searches_chats_follow AFTER INSERT OR DELETE OR UPDATE OF receiver_ids ON public.searches FOR EACH ROW EXECUTE FUNCTION private.follow_receiver_ids();
CREATE TRIGGER searches_end_coverage AFTER UPDATE OF filter_url, is_paused, receiver_ids ON public.searches FOR EACH ROW EXECUTE FUNCTION private.end_coverage_of_changed_search();
alter table public.searches enable row level security;
create policy "People add searches of their own" for insert to authenticated with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People change their own searches" for update to authenticated using (( SELECT auth.uid() AS uid) = user_id) with check (( SELECT auth.uid() AS uid) = user_id);
create policy "People delete their own searches" for delete to authenticated using (( SELECT auth.uid() AS uid) = user_id);
create policy "People read their own searches" for select to authenticated using (( SELECT auth.uid() AS uid) = user_id);
grant delete, select on public.searches to authenticated;
grant insert (id, user_id, first_of, filter_url, receiver_ids, name, is_paused, quiet_from, quiet_until, rules, is_folded) on public.searches to authenticated;
grant update (user_id, first_of, filter_url, receiver_ids, name, is_paused, quiet_from, quiet_until, rules, is_folded) on public.searches to authenticated;

-- How often searches are checked now, by source; no personal data.
create table public.watch_intervals (
  source text not null,
  interval_seconds integer not null,
  spent_until timestamp with time zone,
  constraint watch_intervals_interval_seconds_check CHECK ((interval_seconds > 0)),
  constraint watch_intervals_pkey PRIMARY KEY (source),
  constraint watch_intervals_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 64)))
);
alter table public.watch_intervals enable row level security;
create policy "Guests read how often searches are checked" for select to anon using true;
create policy "People read how often searches are checked" for select to authenticated using true;
grant select on public.watch_intervals to anon;
grant select on public.watch_intervals to authenticated;

-- Requests of chats that wait for the choice of an account.
create table watch.account_questions (
  id uuid not null default gen_random_uuid(),
  chat_id bigint not null,
  request jsonb not null,
  asked_at timestamp with time zone not null,
  constraint account_questions_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES watch.chats(chat_id) ON DELETE CASCADE,
  constraint account_questions_pkey PRIMARY KEY (id),
  constraint account_questions_request_check CHECK ((octet_length((request)::text) <= 16384))
);
CREATE INDEX account_questions_of_a_chat ON watch.account_questions USING btree (chat_id, asked_at);

-- The kinds of alerts, as in src/core/alert/alert-kinds.ts.
create table watch.alert_kinds (
  kind text not null,
  is_about_listing boolean not null,
  is_offer boolean not null,
  is_holdable boolean not null,
  is_question boolean not null,
  constraint alert_kinds_pkey PRIMARY KEY (kind)
);

-- The outbox: messages to chats, and their state.
create table watch.alerts (
  id uuid not null default gen_random_uuid(),
  "position" bigint not null generated always as identity,
  user_id uuid,
  chat_id bigint not null,
  kind text not null,
  listing_id text,
  event_key text not null default ''::text,
  payload jsonb not null,
  search_ids uuid[],
  source text,
  seen_at timestamp with time zone,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  not_before timestamp with time zone not null default now(),
  lease_until timestamp with time zone,
  lease_by uuid,
  is_silent boolean not null default false,
  held_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  is_ambiguous boolean not null default false,
  message_id bigint,
  language text,
  chat_mark text,
  edit_due_at timestamp with time zone,
  edit_attempts integer not null default 0,
  edit_until timestamp with time zone,
  gone_shown_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  mailed_at timestamp with time zone,
  home_id text,
  unanswered integer not null default 0,
  failure text,
  failed_at timestamp with time zone,
  constraint alert_exists_once UNIQUE NULLS NOT DISTINCT (user_id, chat_id, kind, listing_id, event_key),
  constraint alerts_chat_mark_check CHECK ((chat_mark = ANY (ARRAY['hidden'::text, 'kept'::text]))),
  constraint alerts_event_key_check CHECK ((char_length(event_key) <= 200)),
  constraint alerts_failed_at_check CHECK (((failure IS NULL) = (failed_at IS NULL))),
  constraint alerts_failure_check CHECK ((failure = ANY (ARRAY['refused'::text, 'unanswered'::text, 'expired'::text]))),
  constraint alerts_kind_fkey FOREIGN KEY (kind) REFERENCES watch.alert_kinds(kind),
  constraint alerts_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint alerts_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint alerts_name_the_home CHECK (((home_id IS NULL) = (listing_id IS NULL))),
  constraint alerts_payload_check CHECK (((jsonb_typeof(payload) = 'object'::text) AND (pg_column_size(payload) <= 16384))),
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_source_check CHECK ((source = ANY (ARRAY['official'::text, 'by-url'::text, 'mail'::text]))),
  constraint alerts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'merged'::text, 'undeliverable'::text, 'expired'::text]))),
  constraint alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX alerts_by_age ON watch.alerts USING btree (created_at);
CREATE INDEX alerts_failed ON watch.alerts USING btree (user_id, failed_at DESC) WHERE (failure IS NOT NULL);
CREATE INDEX alerts_in_flight ON watch.alerts USING btree (chat_id) WHERE (state = 'sending'::text);
CREATE INDEX alerts_newest_of_a_person ON watch.alerts USING btree (user_id, created_at DESC);
CREATE INDEX alerts_of_a_chat_about_no_listing ON watch.alerts USING btree (chat_id, kind) WHERE (listing_id IS NULL);
CREATE INDEX alerts_of_a_chat_and_listing ON watch.alerts USING btree (chat_id, listing_id) WHERE (listing_id IS NOT NULL);
CREATE INDEX alerts_of_a_home ON watch.alerts USING btree (home_id, user_id) WHERE (home_id IS NOT NULL);
CREATE INDEX alerts_of_keepers ON watch.alerts USING gin (((payload -> 'keeperIds'::text))) WHERE (kind = 'kept'::text);
CREATE INDEX alerts_open_of_a_person ON watch.alerts USING btree (chat_id, COALESCE(user_id, '00000000-0000-0000-0000-000000000000'::uuid), "position") WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text]));
CREATE INDEX alerts_sent ON watch.alerts USING btree (created_at DESC) INCLUDE (source, seen_at, sent_at) WHERE ((seen_at IS NOT NULL) AND (sent_at IS NOT NULL) AND (held_at IS NULL));
CREATE INDEX alerts_that_go_first ON watch.alerts USING btree (chat_id, user_id) WHERE ((kind = 'forwarding-question'::text) AND (state = ANY (ARRAY['pending'::text, 'sending'::text])));
CREATE INDEX alerts_to_edit ON watch.alerts USING btree (edit_due_at) WHERE (edit_due_at IS NOT NULL);
CREATE TRIGGER alerts_are_announced AFTER INSERT ON watch.alerts FOR EACH STATEMENT EXECUTE FUNCTION private.announce('alerts');
CREATE TRIGGER alerts_forget_messages_of_a_moved_chat BEFORE UPDATE OF chat_id ON watch.alerts FOR EACH ROW WHEN ((old.chat_id IS DISTINCT FROM new.chat_id)) EXECUTE FUNCTION private.forget_message_of_moved_chat();
CREATE TRIGGER alerts_name_the_home BEFORE INSERT ON watch.alerts FOR EACH ROW WHEN (((new.home_id IS NULL) AND (new.listing_id IS NOT NULL))) EXECUTE FUNCTION watch.name_home();
CREATE TRIGGER alerts_without_account_are_forgotten AFTER UPDATE OF state ON watch.alerts FOR EACH ROW WHEN (((new.user_id IS NULL) AND (new.state <> ALL (ARRAY['pending'::text, 'sending'::text])))) EXECUTE FUNCTION private.forget_ended_alert();

-- The last mail with waiting alerts of each person, and the token that switches these mails off.
create table watch.away_mails (
  user_id uuid not null,
  mailed_at timestamp with time zone not null,
  sending_since timestamp with time zone,
  stop_token text not null default private.random_token(),
  constraint away_mails_pkey PRIMARY KEY (user_id),
  constraint away_mails_stop_token_key UNIQUE (stop_token),
  constraint away_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- The last scheduled backup, in one row; none if no process makes them.
create table watch.backups (
  is_only boolean not null default true,
  wanted_since timestamp with time zone not null,
  wanted_at timestamp with time zone not null,
  made_at timestamp with time zone,
  size_bytes bigint,
  constraint backups_is_only_check CHECK (is_only),
  constraint backups_pkey PRIMARY KEY (is_only)
);
alter table watch.backups enable row level security;

-- The bot's name: one row, written by the process that has the token, for those that do not.
create table watch.bot (
  is_the_bot boolean not null default true,
  username text not null,
  has_inline_mode boolean not null default false,
  has_main_app boolean not null default false,
  constraint bot_is_the_bot_check CHECK (is_the_bot),
  constraint bot_pkey PRIMARY KEY (is_the_bot),
  constraint bot_username_check CHECK ((username ~ '^\w{5,32}$'::text))
);

-- Towns with homes that are new, changed or gone since their figures were computed.
create table watch.changed_towns (
  town text not null
);

-- How fast messages may be sent to a chat, and until when none may.
create table watch.chat_paces (
  chat_id bigint not null,
  recent_ms jsonb not null default '[]'::jsonb,
  paused_until timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  slowdown integer not null default 0,
  flooded_at timestamp with time zone,
  constraint chat_paces_pkey PRIMARY KEY (chat_id),
  constraint chat_paces_recent_ms_check CHECK ((jsonb_typeof(recent_ms) = 'array'::text))
);

-- The accounts a chat was asked about, and its answers.
create table watch.chat_questions (
  user_id uuid not null,
  chat_id bigint not null,
  asked_at timestamp with time zone not null default now(),
  answer text,
  is_stop boolean not null default false,
  is_own boolean not null default false,
  constraint chat_questions_answer_check CHECK ((answer = ANY (ARRAY['yes'::text, 'no'::text]))),
  constraint chat_questions_pkey PRIMARY KEY (user_id, chat_id),
  constraint chat_questions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX chat_questions_by_chat ON watch.chat_questions USING btree (chat_id, asked_at);

-- Every Telegram chat that the bot has met or somebody has added, and whether it can be reached.
create table watch.chats (
  chat_id bigint not null,
  kind text,
  title text,
  language text,
  telegram_language text,
  last_language text,
  standing text not null default 'unknown'::text,
  closed_reason text,
  asked_id_at timestamp with time zone,
  muted_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint chats_closed_reason_check CHECK ((closed_reason = ANY (ARRAY['not-started'::text, 'not-found'::text, 'deactivated'::text, 'kicked'::text, 'left'::text, 'deleted'::text, 'no-rights'::text, 'blocked'::text]))),
  constraint chats_kind_check CHECK ((kind = ANY (ARRAY['private'::text, 'group'::text, 'supergroup'::text, 'channel'::text]))),
  constraint chats_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
  constraint chats_last_language_check CHECK ((last_language ~ '^[a-z]{2}$'::text)),
  constraint chats_pkey PRIMARY KEY (chat_id),
  constraint chats_standing_check CHECK ((standing = ANY (ARRAY['unknown'::text, 'ok'::text, 'blocked'::text, 'unreachable'::text]))),
  constraint chats_telegram_language_check CHECK ((telegram_language ~ '^[a-z]{2}$'::text)),
  constraint chats_title_check CHECK ((char_length(title) <= 300))
);

-- Each search as it was parsed, and the feed that serves it.
create table watch.compiled_searches (
  filter_id uuid not null,
  user_id uuid not null,
  filter_url text not null,
  search_key text,
  feed_key text,
  problem text,
  is_watched boolean not null default true,
  has_reachable_chat boolean not null default false,
  revision bigint not null default 0,
  baseline_at timestamp with time zone,
  checked_at timestamp with time zone,
  compiled_at timestamp with time zone not null default now(),
  former_key text,
  stopped_at timestamp with time zone,
  resumed_at timestamp with time zone,
  constraint compiled_searches_feed_key_fkey FOREIGN KEY (feed_key) REFERENCES watch.feeds(key) ON DELETE SET NULL,
  constraint compiled_searches_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES public.searches(id) ON DELETE CASCADE,
  constraint compiled_searches_pkey PRIMARY KEY (filter_id),
  constraint compiled_searches_problem_check CHECK ((problem = ANY (ARRAY['not-a-search'::text, 'no-source'::text]))),
  constraint compiled_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX compiled_searches_of_a_feed_by_revision ON watch.compiled_searches USING btree (feed_key, revision, filter_id);
CREATE INDEX compiled_searches_of_a_person ON watch.compiled_searches USING btree (user_id);
CREATE INDEX compiled_searches_to_start ON watch.compiled_searches USING btree (feed_key, filter_id) WHERE (baseline_at IS NULL);

-- The times in which every event of a home that fits the search was decided: told, left out by a rule, or summed up.
create table watch.coverage (
  search_id uuid not null,
  feed_key text not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone,
  ended_by text,
  constraint coverage_check CHECK ((until_at >= from_at)),
  constraint coverage_ended_by_check CHECK ((ended_by = ANY (ARRAY['edited'::text, 'paused'::text, 'no-chat'::text, 'banned'::text, 'moved'::text]))),
  constraint coverage_search_id_fkey FOREIGN KEY (search_id) REFERENCES public.searches(id) ON DELETE CASCADE
);
CREATE INDEX coverage_of_a_search ON watch.coverage USING btree (search_id, until_at);
CREATE UNIQUE INDEX coverage_that_goes_on ON watch.coverage USING btree (search_id) WHERE (until_at IS NULL);

-- The fixed filter that fills the demo, and the feed that serves it.
create table watch.demo_filters (
  filter_id uuid not null,
  filter_url text not null,
  search_key text,
  feed_key text,
  joined_at timestamp with time zone,
  may_cost boolean not null default true,
  checked_at timestamp with time zone,
  check_seconds double precision,
  constraint demo_filters_check_seconds_check CHECK ((check_seconds >= (0)::double precision)),
  constraint demo_filters_feed_key_fkey FOREIGN KEY (feed_key) REFERENCES watch.feeds(key) ON DELETE SET NULL,
  constraint demo_filters_pkey PRIMARY KEY (filter_id)
);

-- The listings that a feed has seen, which are not new to it.
create table watch.feed_listings (
  feed_key text not null,
  listing_id text not null,
  rank bigint not null,
  price_eur double precision not null,
  first_seen_at timestamp with time zone not null,
  missed integer not null default 0,
  gone_at timestamp with time zone,
  facts_key text,
  constraint feed_listings_feed_key_fkey FOREIGN KEY (feed_key) REFERENCES watch.feeds(key) ON DELETE CASCADE,
  constraint feed_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES watch.portal_listings(listing_id) ON DELETE CASCADE,
  constraint feed_listings_pkey PRIMARY KEY (feed_key, listing_id)
);
CREATE INDEX feed_listings_by_rank ON watch.feed_listings USING btree (feed_key, rank) WHERE (gone_at IS NULL);
CREATE INDEX feed_listings_gone ON watch.feed_listings USING btree (gone_at) WHERE (gone_at IS NOT NULL);
CREATE INDEX feed_listings_of_a_listing ON watch.feed_listings USING btree (listing_id);

-- One stream of API requests, and the state of its checks.
create table watch.feeds (
  key text not null,
  source text not null,
  query jsonb not null,
  interval_seconds integer not null,
  next_check_at timestamp with time zone not null default now(),
  last_ok_at timestamp with time zone,
  failing_since timestamp with time zone,
  failure_reason text,
  failed_rounds integer not null default 0,
  spent_until timestamp with time zone,
  revision bigint not null default 0,
  top_rank bigint not null default 0,
  lease_id uuid,
  lease_until timestamp with time zone,
  last_full_scan_at timestamp with time zone,
  full_scan_not_before timestamp with time zone,
  is_read_to_end boolean not null default false,
  requests_per_check double precision not null default 2,
  live_since timestamp with time zone not null default now(),
  idle_since timestamp with time zone,
  covered_at timestamp with time zone,
  covered_from timestamp with time zone,
  listed_total integer,
  adverts_per_hour double precision,
  observed_hours double precision not null default 0,
  promised_seconds integer,
  constraint feeds_interval_seconds_check CHECK ((interval_seconds > 0)),
  constraint feeds_keep_promises CHECK ((promised_seconds > 0)),
  constraint feeds_learn_rates CHECK (((adverts_per_hour >= (0)::double precision) AND (observed_hours >= (0)::double precision))),
  constraint feeds_pkey PRIMARY KEY (key),
  constraint feeds_source_check CHECK ((source = ANY (ARRAY['official'::text, 'by-url'::text])))
);

-- How many first checks an account had lately, and when it had its very first.
create table watch.first_checks (
  user_id uuid not null,
  whole_at timestamp with time zone not null,
  first_at timestamp with time zone not null,
  constraint first_checks_pkey PRIMARY KEY (user_id),
  constraint first_checks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- Times within the coverage of a search in which homes may have been missed, and whether that was told.
create table watch.gaps (
  search_id uuid not null,
  feed_key text not null,
  cause text not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  tell_at timestamp with time zone not null,
  told_at timestamp with time zone,
  filled_at timestamp with time zone,
  constraint gaps_cause_check CHECK ((cause = ANY (ARRAY['outage'::text, 'downtime'::text, 'page-limit'::text, 'quota'::text, 'feed-moved'::text]))),
  constraint gaps_check CHECK ((until_at > from_at)),
  constraint gaps_pkey PRIMARY KEY (search_id, until_at),
  constraint gaps_search_id_fkey FOREIGN KEY (search_id) REFERENCES public.searches(id) ON DELETE CASCADE
);
CREATE INDEX gaps_by_age ON watch.gaps USING btree (until_at);
CREATE INDEX gaps_to_tell ON watch.gaps USING btree (tell_at) WHERE ((told_at IS NULL) AND (filled_at IS NULL));

-- Current incidents, and whether the operator was notified.
create table watch.incidents (
  kind text not null,
  subject text not null default ''::text,
  since timestamp with time zone not null,
  notified_at timestamp with time zone,
  over_at timestamp with time zone,
  constraint incidents_kind_check CHECK ((kind = ANY (ARRAY['quota'::text, 'source'::text, 'token'::text, 'telegram'::text, 'mail'::text, 'disk'::text, 'clock'::text, 'backup'::text, 'set-aside'::text, 'late'::text]))),
  constraint incidents_pkey PRIMARY KEY (kind, subject),
  constraint incidents_subject_check CHECK ((char_length(subject) <= 200))
);

-- One-tap links: the account that a chat is connected to when it presses Start with this token.
create table watch.link_tokens (
  token_hash bytea not null,
  user_id uuid not null,
  search_id uuid,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  chat_id bigint,
  constraint link_tokens_pkey PRIMARY KEY (token_hash),
  constraint link_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX link_tokens_of_a_chat ON watch.link_tokens USING btree (chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX link_tokens_of_a_person ON watch.link_tokens USING btree (user_id, created_at);

-- Prices per square metre of homes in alert mails, by zone.
create table watch.mail_figures (
  listing_id text not null,
  place_id text not null,
  place_name text not null,
  operation text not null,
  price_per_m2_eur double precision not null,
  last_seen_at timestamp with time zone not null,
  constraint mail_figures_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint mail_figures_operation_check CHECK ((operation = ANY (ARRAY['sale'::text, 'rent'::text]))),
  constraint mail_figures_pkey PRIMARY KEY (listing_id)
);
CREATE INDEX mail_figures_by_age ON watch.mail_figures USING btree (last_seen_at);
CREATE INDEX mail_figures_of_a_town ON watch.mail_figures USING btree ("left"(place_id, 21), last_seen_at);

-- Listings that came to a person by mail, and the price in the latest mail.
create table watch.mail_listings (
  user_id uuid not null,
  listing_id text not null,
  price_eur double precision not null,
  sent_at timestamp with time zone not null,
  backlog_alerted_at timestamp with time zone,
  card jsonb,
  former_price_eur double precision,
  place_id text,
  decided text not null default 'none'::text,
  decided_price_eur double precision,
  constraint mail_listings_card_check CHECK ((jsonb_typeof(card) = 'object'::text)),
  constraint mail_listings_decided_check CHECK ((decided = ANY (ARRAY['new'::text, 'cut'::text, 'none'::text]))),
  constraint mail_listings_decision_check CHECK (((decided = 'none'::text) = (decided_price_eur IS NULL))),
  constraint mail_listings_pkey PRIMARY KEY (user_id, listing_id),
  constraint mail_listings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint mail_listings_user_id_listing_id_fkey FOREIGN KEY (user_id, listing_id) REFERENCES public.listings(user_id, listing_id) ON DELETE CASCADE
);
CREATE INDEX mail_listings_by_listing ON watch.mail_listings USING btree (listing_id);

-- When a person requested a new address in the last day, for a rate limit.
create table watch.mail_renewals (
  user_id uuid not null,
  renewed_at timestamp with time zone not null default clock_timestamp(),
  constraint mail_renewals_pkey PRIMARY KEY (user_id, renewed_at),
  constraint mail_renewals_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- How far a person's mailbox has been read.
create table watch.mailboxes (
  user_id uuid not null,
  mailbox text not null,
  uid_validity bigint not null,
  last_uid bigint not null,
  seen_at timestamp with time zone not null,
  constraint mailboxes_mailbox_check CHECK ((char_length(mailbox) <= 64)),
  constraint mailboxes_pkey PRIMARY KEY (user_id),
  constraint mailboxes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- When a person had the steps for alert mails mailed in the last day, for a rate limit.
create table watch.mailed_steps (
  user_id uuid not null,
  mailed_at timestamp with time zone not null default clock_timestamp(),
  constraint mailed_steps_pkey PRIMARY KEY (user_id, mailed_at),
  constraint mailed_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- Accepted alert mails: complete until they are read, then only their digests for some days.
create table watch.mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  raw bytea,
  received_at timestamp with time zone not null,
  digest bytea not null,
  done_at timestamp with time zone,
  attempts integer not null default 0,
  next_try_at timestamp with time zone not null default now(),
  constraint mail_has_its_text_until_done CHECK (((raw IS NOT NULL) OR (done_at IS NOT NULL))),
  constraint mail_is_kept_once UNIQUE (user_id, digest),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX mails_by_age ON watch.mails USING btree (received_at);
CREATE INDEX mails_done ON watch.mails USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX mails_to_be_read ON watch.mails USING btree (next_try_at) WHERE (done_at IS NULL);

-- The figures of the public page, in one row that is replaced every hour.
create table watch.measured_figures (
  is_only boolean not null default true,
  measured_at timestamp with time zone not null,
  figures jsonb not null,
  constraint measured_figures_figures_check CHECK ((octet_length((figures)::text) <= 65536)),
  constraint measured_figures_is_only_check CHECK (is_only),
  constraint measured_figures_pkey PRIMARY KEY (is_only)
);

-- The former ids of groups that became supergroups; a page left open may still save one.
create table watch.moved_chats (
  from_chat_id bigint not null,
  to_chat_id bigint not null,
  moved_at timestamp with time zone not null default now(),
  constraint moved_chats_pkey PRIMARY KEY (from_chat_id),
  constraint moved_chats_to_chat_id_fkey FOREIGN KEY (to_chat_id) REFERENCES watch.chats(chat_id) ON DELETE CASCADE
);
CREATE INDEX moved_chats_by_new_id ON watch.moved_chats USING btree (to_chat_id);
CREATE TRIGGER shortlists_follow_moved_chats AFTER INSERT OR UPDATE ON watch.moved_chats FOR EACH ROW EXECUTE FUNCTION private.move_shortlist();

-- When a person's own place was last moved; the routing server is asked some time after the last move.
create table watch.moved_places (
  place_id uuid not null,
  moved_at timestamp with time zone not null,
  constraint moved_places_pkey PRIMARY KEY (place_id),
  constraint moved_places_place_id_fkey FOREIGN KEY (place_id) REFERENCES public.own_places(id) ON DELETE CASCADE
);

-- Which search a reply to the bot's message names, one for each chat.
create table watch.name_questions (
  chat_id bigint not null,
  message_id bigint not null,
  search_id uuid not null,
  constraint name_questions_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES watch.chats(chat_id) ON DELETE CASCADE,
  constraint name_questions_pkey PRIMARY KEY (chat_id)
);

-- First checks of newcomers, by source and month.
create table watch.newcomer_checks (
  source text not null,
  day date not null,
  checks integer not null,
  constraint newcomer_checks_checks_check CHECK ((checks > 0)),
  constraint newcomer_checks_pkey PRIMARY KEY (source, day)
);

-- Which question of the bot the next message of a chat answers, one for each chat.
create table watch.open_questions (
  chat_id bigint not null,
  question jsonb not null,
  asked_at timestamp with time zone not null,
  constraint open_questions_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES watch.chats(chat_id) ON DELETE CASCADE,
  constraint open_questions_pkey PRIMARY KEY (chat_id),
  constraint open_questions_question_check CHECK ((octet_length((question)::text) <= 1024))
);

-- A row while the operator has paused everything: nothing is checked, nothing is sent.
create table watch.pause (
  is_paused boolean not null default true,
  since timestamp with time zone not null default now(),
  constraint pause_is_paused_check CHECK (is_paused),
  constraint pause_pkey PRIMARY KEY (is_paused)
);

-- Every listing a feed has met, by the portal's code.
create table watch.portal_listings (
  listing_id text not null,
  listing jsonb not null,
  price_eur double precision not null,
  former_price_eur double precision,
  home_id text not null,
  home_key text,
  place_id text,
  price_per_m2_eur double precision,
  photos jsonb not null default '[]'::jsonb,
  text_key text,
  words text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  back_at timestamp with time zone,
  card jsonb,
  facts_key text,
  listed_by timestamp with time zone,
  former_listing jsonb,
  corrected_at timestamp with time zone,
  constraint portal_listings_card_check CHECK (((card IS NOT NULL) AND (jsonb_typeof(card) = 'object'::text))),
  constraint portal_listings_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint portal_listings_pkey PRIMARY KEY (listing_id)
);
CREATE INDEX portal_listings_by_age ON watch.portal_listings USING btree (last_seen_at);
CREATE INDEX portal_listings_by_end ON watch.portal_listings USING btree (gone_at) WHERE (gone_at IS NOT NULL);
CREATE INDEX portal_listings_by_home ON watch.portal_listings USING btree (home_id);
CREATE INDEX portal_listings_by_return ON watch.portal_listings USING btree (back_at) WHERE (back_at IS NOT NULL);
CREATE INDEX portal_listings_by_text ON watch.portal_listings USING btree (text_key) WHERE (text_key IS NOT NULL);
CREATE INDEX portal_listings_of_a_home ON watch.portal_listings USING btree (home_key) WHERE (home_key IS NOT NULL);
CREATE INDEX portal_listings_of_a_town ON watch.portal_listings USING btree ("left"(place_id, 21), last_seen_at) WHERE (price_per_m2_eur IS NOT NULL);

-- The prices of a listing, each with the moment it was first seen.
create table watch.prices (
  listing_id text not null,
  seen_at timestamp with time zone not null,
  price_eur double precision not null,
  constraint prices_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES watch.portal_listings(listing_id) ON DELETE CASCADE,
  constraint prices_pkey PRIMARY KEY (listing_id, seen_at)
);

-- Searches, adverts, feeds and steps of planning that the watcher set aside after an error, and when it tries them again.
create table watch.quarantine (
  kind text not null,
  subject text not null,
  version text not null default ''::text,
  reason text not null,
  tries integer not null default 1,
  since timestamp with time zone not null,
  next_try_at timestamp with time zone not null,
  constraint quarantine_kind_check CHECK ((kind = ANY (ARRAY['search'::text, 'advert'::text, 'feed'::text, 'plan'::text]))),
  constraint quarantine_pkey PRIMARY KEY (kind, subject),
  constraint quarantine_reason_check CHECK ((char_length(reason) <= 300)),
  constraint quarantine_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 3000))),
  constraint quarantine_tries_check CHECK ((tries > 0))
);
CREATE INDEX quarantine_by_next_try ON watch.quarantine USING btree (next_try_at);
alter table watch.quarantine enable row level security;

-- Requests made this month and the earliest time of the next one, by data API.
create table watch.request_budgets (
  name text not null,
  month date not null,
  used bigint not null default 0,
  next_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  monthly_requests bigint,
  warned_month date,
  costs_reported_on date,
  refused bigint not null default 0,
  refusals_in_a_row integer not null default 0,
  refused_because text,
  paused_until timestamp with time zone,
  probe_id uuid,
  probe_until timestamp with time zone,
  constraint request_budgets_monthly_requests_check CHECK ((monthly_requests >= 0)),
  constraint request_budgets_pkey PRIMARY KEY (name),
  constraint request_budgets_refusals_in_a_row_check CHECK ((refusals_in_a_row >= 0)),
  constraint request_budgets_refused_check CHECK ((refused >= 0)),
  constraint request_budgets_used_check CHECK ((used >= 0))
);

-- Requests to the routing server by person and hour; without a person: all of them.
create table watch.routing_requests (
  user_id uuid,
  hour timestamp with time zone not null,
  requests integer not null,
  constraint routing_requests_requests_check CHECK ((requests > 0)),
  constraint routing_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint routing_requests_user_id_hour_key UNIQUE NULLS NOT DISTINCT (user_id, hour)
);
CREATE INDEX routing_requests_by_hour ON watch.routing_requests USING btree (hour);

-- The process that runs a full scan, one per source.
create table watch.scan_leases (
  source text not null,
  holder uuid not null,
  until timestamp with time zone not null,
  constraint scan_leases_pkey PRIMARY KEY (source),
  constraint scan_leases_source_check CHECK ((source = ANY (ARRAY['official'::text, 'by-url'::text])))
);

-- Full scans in progress: the pages read so far, until a check of the feed ingests the whole scan.
create table watch.scan_pages (
  feed_key text not null,
  page integer not null,
  listings jsonb not null,
  read_at timestamp with time zone not null,
  is_last boolean not null,
  is_end_of_list boolean not null,
  constraint scan_pages_feed_key_fkey FOREIGN KEY (feed_key) REFERENCES watch.feeds(key) ON DELETE CASCADE,
  constraint scan_pages_listings_check CHECK ((jsonb_typeof(listings) = 'array'::text)),
  constraint scan_pages_page_check CHECK ((page > 0)),
  constraint scan_pages_pkey PRIMARY KEY (feed_key, page)
);

-- The topic and the mute of one search in one chat.
create table watch.search_chats (
  search_id uuid not null,
  chat_id bigint not null,
  topic_id bigint,
  muted_until timestamp with time zone,
  resumed_at timestamp with time zone,
  constraint search_chats_pkey PRIMARY KEY (search_id, chat_id),
  constraint search_chats_search_id_fkey FOREIGN KEY (search_id) REFERENCES public.searches(id) ON DELETE CASCADE
);
CREATE INDEX search_chats_by_chat ON watch.search_chats USING btree (chat_id);

-- The last URL each person previewed, and the answer.
create table watch.search_previews (
  user_id uuid,
  filter_url text not null,
  asked_at timestamp with time zone not null default now(),
  answer jsonb,
  asks integer not null default 1,
  counted_since timestamp with time zone not null default now(),
  chat_id bigint,
  constraint filter_url_is_of_the_portal CHECK (((char_length(filter_url) <= 2048) AND (filter_url ~ '^https://www\.idealista\.com/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]+$'::text))),
  constraint search_previews_answer_check CHECK ((octet_length((answer)::text) <= 8192)),
  constraint search_previews_are_of_one CHECK ((num_nonnulls(user_id, chat_id) = 1)),
  constraint search_previews_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX search_previews_of_chats ON watch.search_previews USING btree (chat_id);
CREATE UNIQUE INDEX search_previews_of_people ON watch.search_previews USING btree (user_id);
CREATE INDEX search_previews_to_answer ON watch.search_previews USING btree (asked_at) WHERE (answer IS NULL);

-- The state of sending as a whole, in one row.
create table watch.sender (
  is_only boolean not null default true,
  paused_until timestamp with time zone,
  refused_since timestamp with time zone,
  last_sent_at timestamp with time zone,
  slowdown integer not null default 0,
  flooded_at timestamp with time zone,
  away_since timestamp with time zone,
  constraint sender_is_only_check CHECK (is_only),
  constraint sender_pkey PRIMARY KEY (is_only)
);

-- The kept homes that were announced in each shortlist chat, and when as kept by two.
create table watch.shortlists (
  chat_id bigint not null,
  home_id text not null,
  kept_at timestamp with time zone not null,
  by_two_at timestamp with time zone,
  constraint shortlists_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES watch.chats(chat_id) ON DELETE CASCADE,
  constraint shortlists_home_id_check CHECK (((char_length(home_id) >= 1) AND (char_length(home_id) <= 64))),
  constraint shortlists_pkey PRIMARY KEY (chat_id, home_id)
);

-- When each source first saw a listing or its price cut.
create table watch.sightings (
  listing_id text not null,
  event_key text not null default ''::text,
  source text not null,
  seen_at timestamp with time zone not null,
  constraint sightings_event_key_check CHECK ((char_length(event_key) <= 200)),
  constraint sightings_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint sightings_pkey PRIMARY KEY (listing_id, event_key, source),
  constraint sightings_source_check CHECK ((source = ANY (ARRAY['official'::text, 'by-url'::text, 'mail'::text])))
);
CREATE INDEX sightings_by_age ON watch.sightings USING btree (seen_at);

-- Counts of source data that could not be used, by source, kind and reason, for all processes.
create table watch.source_defects (
  source text not null,
  kind text not null,
  reason text not null,
  amount bigint not null,
  constraint source_defects_amount_check CHECK ((amount > 0)),
  constraint source_defects_kind_check CHECK ((kind = ANY (ARRAY['unread-listing'::text, 'filter-not-applied'::text, 'gap'::text]))),
  constraint source_defects_pkey PRIMARY KEY (source, kind, reason),
  constraint source_defects_reason_check CHECK ((char_length(reason) <= 100)),
  constraint source_defects_source_check CHECK ((source = ANY (ARRAY['official'::text, 'by-url'::text])))
);

-- The homes that each person was told of. Kept while the home is on offer and a year after, apart from the rows that pages show.
create table watch.told (
  user_id uuid not null,
  listing_id text not null,
  search_ids uuid[] not null default '{}'::uuid[],
  price_eur double precision,
  told_at timestamp with time zone not null,
  constraint told_listing_id_check CHECK (((char_length(listing_id) >= 1) AND (char_length(listing_id) <= 64))),
  constraint told_pkey PRIMARY KEY (user_id, listing_id),
  constraint told_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX told_by_age ON watch.told USING brin (told_at);

-- Minutes from homes to people's own places, from a routing server; null if it found no route.
create table watch.travel_times (
  place_id uuid not null,
  latitude double precision not null,
  longitude double precision not null,
  foot_minutes integer,
  bicycle_minutes integer,
  asked_at timestamp with time zone not null default now(),
  constraint travel_times_bicycle_minutes_check CHECK ((bicycle_minutes >= 0)),
  constraint travel_times_foot_minutes_check CHECK ((foot_minutes >= 0)),
  constraint travel_times_pkey PRIMARY KEY (place_id, latitude, longitude),
  constraint travel_times_place_id_fkey FOREIGN KEY (place_id) REFERENCES public.own_places(id) ON DELETE CASCADE
);
CREATE INDEX travel_times_by_age ON watch.travel_times USING btree (asked_at);

-- People with an active search and no chat that can be reached.
create table watch.unreachable_people (
  user_id uuid not null,
  since timestamp with time zone not null default now(),
  mailed_at timestamp with time zone,
  constraint unreachable_people_pkey PRIMARY KEY (user_id),
  constraint unreachable_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- The bot's inbox: updates waiting to be handled, and the ids of those that were.
create table watch.updates (
  update_id bigint not null,
  content text,
  attempts integer not null default 0,
  chat_id bigint,
  sender_id bigint,
  done_at timestamp with time zone,
  constraint updates_pkey PRIMARY KEY (update_id)
);
CREATE INDEX updates_done ON watch.updates USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX updates_waiting_in_a_chat ON watch.updates USING btree (chat_id, update_id) WHERE (done_at IS NULL);

-- Searches whose first check waits for requests, and until when.
create table watch.waiting_searches (
  search_id uuid not null,
  user_id uuid not null,
  until timestamp with time zone not null,
  constraint waiting_searches_pkey PRIMARY KEY (search_id),
  constraint waiting_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX waiting_searches_of_a_person ON watch.waiting_searches USING btree (user_id);

-- The first search of each person.
create view public.filter_settings with (security_invoker=true, check_option=cascaded) as
 SELECT id,
    first_of AS user_id,
    filter_url,
    receiver_ids,
    created_at,
    updated_at,
    is_paused,
    name,
    quiet_from,
    quiet_until,
    rules,
    is_folded
   FROM public.searches
  WHERE first_of IS NOT NULL;
grant delete, select on public.filter_settings to authenticated;
grant insert (user_id, filter_url, receiver_ids, is_paused, name, quiet_from, quiet_until) on public.filter_settings to authenticated;
grant update (user_id, filter_url, receiver_ids, is_paused, name, quiet_from, quiet_until) on public.filter_settings to authenticated;

-- Which chats may read and write which accounts.
create view watch.confirmed_chats with (security_invoker=true) as
 SELECT user_id,
    chat_id,
    created_at
   FROM public.chats
  WHERE state = 'connected'::text AND confirmed_at IS NOT NULL AND NOT (EXISTS ( SELECT
           FROM auth.users
          WHERE users.id = chats.user_id AND users.banned_until > now()));

-- The listings found for people, each with its card: from feeds, from the person's mails, or from its row alone.
create view watch.found_cards with () as
 SELECT held.user_id,
    held.listing_id,
    held.search_ids,
    held.created_at,
    COALESCE(portal.place_id, mailed.place_id) AS place_id,
    portal.words,
    GREATEST(portal.last_seen_at, mailed.sent_at) AS seen_at,
        CASE
            WHEN portal.card IS NULL AND mailed.card IS NULL THEN watch.card_of_details(held.listing_id, held.details)
            ELSE (COALESCE(portal.card, mailed.card) || COALESCE(jsonb_strip_nulls(mailed.card), '{}'::jsonb)) || COALESCE(jsonb_strip_nulls(portal.card), '{}'::jsonb)
        END AS card
   FROM public.listings held
     LEFT JOIN LATERAL ( SELECT met.listing_id,
            met.listing,
            met.price_eur,
            met.former_price_eur,
            met.home_id,
            met.home_key,
            met.place_id,
            met.price_per_m2_eur,
            met.photos,
            met.text_key,
            met.words,
            met.first_seen_at,
            met.last_seen_at,
            met.gone_at,
            met.back_at,
            met.card
           FROM watch.portal_listings met
          WHERE met.listing_id = held.listing_id
         LIMIT 1) portal ON true
     LEFT JOIN watch.mail_listings mailed ON mailed.user_id = held.user_id AND mailed.listing_id = held.listing_id;

-- Searches that notify somebody now: neither paused nor of a banned person, and compiled from the saved URL.
create view watch.live_searches with (security_invoker=true) as
 SELECT compiled.filter_id,
    compiled.user_id,
    compiled.filter_url,
    compiled.search_key,
    compiled.feed_key,
    compiled.baseline_at,
    saved.receiver_ids,
    saved.is_folded
   FROM watch.compiled_searches compiled
     JOIN public.searches saved ON saved.id = compiled.filter_id AND saved.filter_url = compiled.filter_url AND NOT saved.is_paused
     JOIN auth.users people ON people.id = compiled.user_id AND (people.banned_until IS NULL OR people.banned_until <= now())
  WHERE compiled.is_watched AND compiled.feed_key IS NOT NULL;

-- Which accounts Telegram users can sign in to; one for each of them.
create view watch.telegram_identities with (security_invoker=true) as
 SELECT user_id,
        CASE
            WHEN provider_id ~ '^[1-9][0-9]{0,15}$'::text THEN provider_id::bigint
            ELSE NULL::bigint
        END AS telegram_id,
    created_at
   FROM auth.identities
  WHERE provider = 'custom:telegram'::text;

CREATE TRIGGER end_unproven_access AFTER INSERT ON auth.identities FOR EACH ROW WHEN ((new.provider <> ALL (ARRAY['email'::text, 'custom:telegram'::text]))) EXECUTE FUNCTION private.end_unproven_access();
CREATE TRIGGER revoke_grants_of_unlinked AFTER DELETE ON auth.identities FOR EACH ROW EXECUTE FUNCTION private.follow_unlinked_identity();

CREATE TRIGGER ended_session_is_noted AFTER DELETE ON auth.sessions FOR EACH ROW EXECUTE FUNCTION private.note_ended_session();
CREATE TRIGGER limit_sessions AFTER INSERT ON auth.sessions FOR EACH ROW EXECUTE FUNCTION private.limit_sessions();
CREATE TRIGGER revoke_grants_of_ended_sessions AFTER DELETE ON auth.sessions REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION private.follow_ended_sessions();

CREATE TRIGGER end_coverage_of_banned AFTER UPDATE OF banned_until ON auth.users FOR EACH ROW WHEN ((new.banned_until > now())) EXECUTE FUNCTION private.end_coverage_of_banned();
CREATE TRIGGER follow_changed_password AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN (((old.encrypted_password IS DISTINCT FROM new.encrypted_password) AND (COALESCE(new.encrypted_password, ''::text) <> ''::text))) EXECUTE FUNCTION private.follow_changed_password();
CREATE TRIGGER keepers_are_forgotten BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.forget_keeper();
CREATE TRIGGER lock_person_first BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.lock_deleted_person();
CREATE TRIGGER note_added_address AFTER UPDATE OF email ON auth.users FOR EACH ROW WHEN (((COALESCE(old.email, ''::text) = ''::text) AND (new.email = old.email_change) AND (old.email_change_sent_at IS NOT NULL))) EXECUTE FUNCTION private.note_added_address();
CREATE TRIGGER note_confirmed_address AFTER UPDATE OF email_confirmed_at ON auth.users FOR EACH ROW WHEN (((old.email_confirmed_at IS NULL) AND (new.confirmation_sent_at <= new.email_confirmed_at))) EXECUTE FUNCTION private.note_confirmed_address();
CREATE TRIGGER note_proven_address AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN (((new.encrypted_password IS DISTINCT FROM old.encrypted_password) AND (new.encrypted_password <> ''::text))) EXECUTE FUNCTION private.note_proven_address();
CREATE TRIGGER notify_chats_of_deletion BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.notify_chats_of_deletion();
CREATE TRIGGER profiles_follow_auth_users AFTER INSERT OR UPDATE OF email, raw_user_meta_data ON auth.users FOR EACH ROW EXECUTE FUNCTION private.follow_auth_user();
CREATE TRIGGER revoke_grants_of_deleted BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.follow_deletion();
CREATE TRIGGER revoke_grants_of_old_password AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN (((old.encrypted_password IS DISTINCT FROM new.encrypted_password) AND (COALESCE(new.encrypted_password, ''::text) <> ''::text))) EXECUTE FUNCTION private.follow_new_password();
CREATE TRIGGER revoke_grants_of_suspended AFTER UPDATE OF banned_until ON auth.users FOR EACH ROW WHEN (((new.banned_until > now()) AND (new.banned_until IS DISTINCT FROM old.banned_until))) EXECUTE FUNCTION private.follow_suspension();
CREATE TRIGGER tell_of_deleted_account BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.tell_of_deleted_account();

CREATE OR REPLACE FUNCTION private.account_in_chat(person uuid, chat bigint)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when chat > 0 and exists (
      select from watch.confirmed_chats join watch.chat_questions as asked using (user_id, chat_id)
      where user_id = person and chat_id = chat and asked.is_own
    ) then (
      select coalesce(nullif(email, ''), private.plain_name(full_name), private.masked_account(person))
      from public.profiles where id = person
    )
    else private.masked_account(person)
  end;
$function$;

CREATE OR REPLACE FUNCTION private.add_chats(owner uuid, added bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.chats (user_id, chat_id, kind, title, state, reason, confirmed_at)
  select owner, met.chat_id,
    case when asked.answer = 'yes' and others.connected < 5 then met.kind end,
    case when asked.answer = 'yes' and others.connected < 5 then met.title end,
    case when judged.is_connected then 'connected' when asked.answer = 'no' then 'declined' else 'waiting' end,
    case
      when judged.is_connected then null
      when asked.answer = 'no' then case when asked.is_stop then 'stopped' else 'said-no' end
      when others.connected >= 5 then 'full'
      -- A chat is asked once, so the outcome of that question still applies.
      when asked.user_id is not null then met.closed_reason
    end,
    case when asked.answer = 'yes' and others.connected < 5 then now() end
  from watch.chats as met
  left join watch.chat_questions as asked on asked.chat_id = met.chat_id and asked.user_id = owner
  cross join lateral (
    select count(*) filter (where state in ('connected', 'blocked', 'unreachable')) as holding,
      count(*) filter (where state = 'connected') as connected
    from public.chats where chats.chat_id = met.chat_id and chats.user_id <> owner
  ) as others
  cross join lateral (
    select case asked.answer
      when 'yes' then others.connected < 5
      when 'no' then false
      else others.holding = 0 and coalesce(met.asked_id_at > now() - interval '24 hours', false)
        and (asked.user_id is not null or private.may_be_asked(owner, met.chat_id))
    end as is_connected
  ) as judged
  where met.chat_id = any (added)
  on conflict (user_id, chat_id) do nothing;

  -- The notice also counts as a question: the chat answers it with a button.
  insert into watch.chat_questions (user_id, chat_id)
  select owner, chat_id from public.chats
  where user_id = owner and chat_id = any (added) and state = 'connected' and confirmed_at is null
  order by chat_id
  on conflict (user_id, chat_id) do nothing;

  -- One notice for each time the chat asked for its id, however often the id is removed and added again. A notice that
  -- did not arrive is sent again.
  insert into watch.alerts as told (user_id, chat_id, kind, event_key, payload)
  select owner, chats.chat_id, 'connected', extract(epoch from met.asked_id_at)::text, '{}'
  from public.chats join watch.chats as met using (chat_id)
  where chats.user_id = owner and chats.chat_id = any (added) and chats.state = 'connected' and chats.confirmed_at is null
  order by chats.chat_id
  on conflict on constraint alert_exists_once do update set
    state = 'pending', not_before = now(), created_at = now(), attempts = 0, failing_since = null
  where told.state in ('undeliverable', 'expired');
end;
$function$;

CREATE OR REPLACE FUNCTION private.admit_telegram_account(telegram_id bigint, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own constant bytea := private.hash_of_limit('account of telegram ' || telegram_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  if exists (
    select from watch.telegram_identities as known where known.telegram_id = admit_telegram_account.telegram_id
  ) then
    return true;
  end if;
  if private.next_allowance(own, 2, '7 days', at) > at then
    return false;
  end if;
  perform private.spend_allowance(own, 2, '7 days', at);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.announce()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.announce_reachable()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (coalesce(old.state, '') = 'connected') <> (coalesce(new.state, '') = 'connected') then
    perform pg_notify('filters', id::text) from public.searches where user_id = coalesce(new.user_id, old.user_id);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.announce_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('filters', coalesce(new.id, old.id)::text);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.ask_waiting_chats(owner uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.chats set reason = 'too-many-questions'
  where user_id = owner and state = 'waiting' and reason is null
    and not exists (
      select from watch.chat_questions as asked where asked.user_id = owner and asked.chat_id = chats.chat_id
    )
    and not private.may_be_asked(owner, chat_id);

  with asked as (
    insert into watch.chat_questions (user_id, chat_id)
    select owner, chat_id from public.chats where user_id = owner and state = 'waiting' and reason is null
    order by chat_id
    on conflict (user_id, chat_id) do nothing
    returning chat_id
  )
  insert into watch.alerts (user_id, chat_id, kind, payload)
  select owner, asked.chat_id, 'question', '{}' from asked
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION private.chat_for_notices(person uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select met.chat_id from watch.telegram_identities as own
  join watch.chats as met on met.chat_id = own.telegram_id and met.standing = 'ok'
  left join public.chats as link on link.user_id = own.user_id and link.chat_id = met.chat_id
  where own.user_id = person and coalesce(link.state, 'connected') in ('connected', 'waiting');
$function$;

CREATE OR REPLACE FUNCTION private.connect_chat(person uuid, chat bigint, chat_kind text, chat_title text, is_confirmed boolean, for_search uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  meant constant uuid := (
    select id from public.searches
    where user_id = person and (id = for_search or is_first) order by is_first limit 1
  );
begin
  -- Before the list changes: its trigger asks every chat that has no row.
  insert into public.chats as known (user_id, chat_id, state, confirmed_at)
  values (person, chat, 'connected', case when is_confirmed then now() end)
  on conflict (user_id, chat_id) do update set
    state = 'connected', reason = null, confirmed_at = coalesce(known.confirmed_at, excluded.confirmed_at);
  update public.chats set kind = chat_kind, title = chat_title
  where user_id = person and chat_id = chat and confirmed_at is not null;
  if for_search is not null or not exists (
    select from public.searches where user_id = person and chat::text = any (receiver_ids)
  ) then
    update public.searches set receiver_ids = array_append(receiver_ids, chat::text)
    where id = meant and not (chat::text = any (receiver_ids));
  end if;
  perform private.note_answer(person, chat, case when is_confirmed then 'yes' end);
end;
$function$;

-- Connects the private chat of a person who signs in with Telegram, unless they decided about it before.
CREATE OR REPLACE FUNCTION private.connect_chat_at_sign_in(person uuid, chat bigint, chat_title text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.chats where user_id = person and chat_id = chat and state in ('connected', 'declined', 'blocked')
      and reason is distinct from 'ended'
  ) or exists (
    select from watch.chat_questions where user_id = person and chat_id = chat and answer is not null
  ) then
    return 'decided';
  end if;
  return private.connect_own_chat(person, chat, chat_title);
end;
$function$;

-- Connects and confirms the private chat of a Telegram user who agreed to it; or chat-full, person-full.
CREATE OR REPLACE FUNCTION private.connect_own_chat(person uuid, chat bigint, chat_title text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  outcome text;
begin
  insert into watch.chats as known (chat_id, kind, title, standing) values (chat, 'private', chat_title, 'ok')
  on conflict (chat_id) do update set kind = 'private', title = excluded.title, standing = 'ok', closed_reason = null;
  perform private.lock_person_and_chat(person, chat);
  if not exists (
    select from watch.telegram_identities where user_id = person and telegram_id = chat
  ) then
    return 'not-connected';
  end if;
  outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
  if outcome = 'connected' then
    perform private.connect_chat(person, chat, 'private', chat_title, true, null);
    update watch.chat_questions set is_own = true where user_id = person and chat_id = chat;
  end if;
  return outcome;
end;
$function$;

CREATE OR REPLACE FUNCTION private.delete_account(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_person(person);
  delete from auth.audit_log_entries
    where private.metadata_of(payload::jsonb) ->> 'actor_id' = person::text;
  delete from auth.users where id = person;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_chats(person uuid, ended bigint[], why text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = any (ended) order by chat_id for update;
  if why is not null then
    perform private.tell_chats_of_end(why, person, array(
      select chat_id from public.chats where user_id = person and chat_id = any (ended) and state = 'connected'
    ));
  end if;
  update public.chats set state = 'declined', reason = 'ended', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = any (ended);
  delete from watch.chat_questions where user_id = person and chat_id = any (ended);
  update watch.alerts set state = 'undeliverable', last_error = 'ended'
  where user_id = person and chat_id = any (ended) and state = 'pending';
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_coverage(ids uuid[], cause text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In the order in which the watcher locks them. One that is just starting has started afterwards.
  perform from watch.compiled_searches where filter_id = any (ids) order by filter_id for update;
  update watch.coverage set
    until_at = greatest(from_at, (select covered_at from watch.feeds where key = coverage.feed_key)), ended_by = cause
  where search_id = any (ids) and until_at is null;
  update watch.compiled_searches set resumed_at = null
  where filter_id = any (ids) and resumed_at is not null and cause in ('paused', 'no-chat', 'banned');
  update watch.compiled_searches as held set
    baseline_at = null, former_key = coalesce(held.former_key, held.search_key),
    checked_at = case when cause <> 'edited' then (select last_ok_at from watch.feeds where key = held.feed_key) end
  where filter_id = any (ids) and baseline_at is not null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_coverage_of_banned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_coverage(array(select id from public.searches where user_id = new.id order by id), 'banned');
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_coverage_of_changed_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.is_paused and not old.is_paused then
    perform private.end_coverage(array[new.id], 'paused');
  elsif new.filter_url <> old.filter_url then
    perform private.end_coverage(array[new.id], 'edited');
  elsif new.receiver_ids <> old.receiver_ids and not exists (
    select from public.chats
    where chats.user_id = new.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (new.receiver_ids)
  ) then
    perform private.end_coverage(array[new.id], 'no-chat');
  end if;
  if old.is_paused and not new.is_paused then
    perform private.note_resumed(array[new.id]);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_coverage_of_lost_chat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not watch.takes_alerts(old.state, old.reason)
    or (tg_op = 'UPDATE' and watch.takes_alerts(new.state, new.reason) and new.chat_id = old.chat_id)
  then
    if tg_op = 'UPDATE' and watch.takes_alerts(new.state, new.reason) and not watch.takes_alerts(old.state, old.reason) then
      perform private.note_resumed(array(
        select id from public.searches
        where user_id = new.user_id and new.chat_id::text = any (receiver_ids) and not is_paused order by id
      ));
    end if;
    return null;
  end if;
  perform private.end_coverage(array(
    select searches.id from public.searches
    where searches.user_id = old.user_id and old.chat_id::text = any (searches.receiver_ids) and not exists (
      select from public.chats
      where chats.user_id = old.user_id and watch.takes_alerts(chats.state, chats.reason)
        and chats.chat_id::text = any (searches.receiver_ids)
    )
    order by searches.id
  ), 'no-chat');
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_flows(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.flow_state where user_id = person;
  if private.flows_can_link() then
    execute 'delete from auth.flow_state where linking_target_id = $1' using person;
  end if;
  delete from private.telegram_links where user_id = person;
  insert into private.ended_grants (user_id, ended_at)
  select id, clock_timestamp() from auth.users where id = person
  on conflict (user_id) do update set ended_at = greatest(ended_grants.ended_at, excluded.ended_at);
end;
$function$;

-- Ends what an event revokes, in its transaction. The session that the event happened in may be kept.
CREATE OR REPLACE FUNCTION private.end_grants(person uuid, event text, kept_session uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_hosted constant boolean := private.is_hosted();
begin
  if event not in (
    'password-changed', 'reset-used', 'address-proved', 'provider-unlinked', 'telegram-disconnected', 'signed-out-here',
    'signed-out-elsewhere', 'signed-out-everywhere', 'suspended', 'deleted'
  ) then
    raise exception 'No grant is declared for the event %', event;
  end if;
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not (is_hosted and pg_trigger_depth() > 0) then
    perform private.lock_person(person);
  end if;
  if event = 'deleted' then
    perform private.end_flows(person);
    return;
  end if;
  perform from auth.users where id = person for no key update;

  delete from watch.link_tokens where user_id = person and used_at is null;
  if event = 'signed-out-here' then
    perform private.end_mailed_links(person, '{email_change}');
    return;
  end if;

  if event = 'telegram-disconnected' then
    perform private.end_private_chat(person, (
      select telegram_id from watch.telegram_identities where user_id = person limit 1
    ));
  end if;
  if event = 'address-proved' then
    perform private.end_chats(person, array(select chat_id from public.chats where user_id = person), 'access-ended');
    delete from public.mail_addresses where user_id = person;
    delete from watch.away_mails where user_id = person;
    delete from private.known_addresses where user_id = person;
    delete from private.known_browsers where user_id = person and (kept_session is null or session_id is distinct from kept_session);
  end if;

  -- The trigger of a deleted identity raises an event of its own, unless it is part of this one.
  perform set_config('sereno.ending_grants', person::text, true);
  if event = 'telegram-disconnected' then
    delete from auth.identities where user_id = person and provider = 'custom:telegram';
  elsif event = 'address-proved' then
    delete from auth.identities as other where user_id = person and provider <> 'email' and id is distinct from (
      select id from auth.identities as proving
      where proving.user_id = person and provider not in ('email', 'custom:telegram') and kept_session is null
      order by created_at desc limit 1
    );
  end if;
  perform set_config('sereno.ending_grants', '', true);

  -- GoTrue ends the other sessions itself after a change of password, and a trigger does not know which it keeps.
  if not (is_hosted and kept_session is null and event in ('password-changed', 'reset-used')) then
    delete from auth.sessions where user_id = person and id is distinct from kept_session;
  end if;
  if not is_hosted and event in ('password-changed', 'reset-used', 'provider-unlinked', 'telegram-disconnected') then
    delete from auth.mfa_amr_claims where session_id = kept_session;
  end if;
  perform private.end_flows(person);
  perform private.end_mailed_links(person, case
    when event in ('address-proved', 'suspended') then '{recovery, email_change, signup}'
    when event in ('password-changed', 'reset-used') or private.may_end_reset_links(person) then '{recovery, email_change}'
    else '{email_change}'
  end::text[]);
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_mailed_links(person uuid, kinds text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if 'email_change' = any (kinds) then
    update auth.users set email_change = case when private.is_hosted() then '' end
    where id = person and email_change <> '';
  end if;
  if not private.is_hosted() then
    delete from private.mailed_links where user_id = person and kind = any (kinds);
    return;
  end if;
  -- GoTrue cannot read an account whose tokens are null.
  update auth.users set
    recovery_token = case when 'recovery' = any (kinds) then '' else recovery_token end,
    email_change_token_new = case when 'email_change' = any (kinds) then '' else email_change_token_new end,
    confirmation_token = case when 'signup' = any (kinds) then '' else confirmation_token end
  where id = person;
  execute $gotrue$
    delete from auth.one_time_tokens where user_id = $1 and case token_type::text
      when 'recovery_token' then 'recovery' = any ($2)
      when 'confirmation_token' then 'signup' = any ($2)
      else 'email_change' = any ($2)
    end
  $gotrue$ using person, kinds;
end;
$function$;

CREATE OR REPLACE FUNCTION private.end_private_chat(person uuid, telegram_id bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.end_chats(person, array(
    select own.chat_id from public.chats as own left join watch.chat_questions as asked using (user_id, chat_id)
    where own.user_id = person and own.chat_id > 0
      and (own.chat_id = telegram_id or telegram_id is null and asked.is_own)
  ), 'telegram-disconnected');
$function$;

CREATE OR REPLACE FUNCTION private.end_unproven_access()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person constant uuid := new.user_id;
  bare jsonb;
begin
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not private.is_hosted() then
    perform private.lock_person(person);
  end if;
  insert into private.proven_addresses (user_id) values (person) on conflict do nothing;
  if not found then
    return new;
  end if;
  update auth.users set email_confirmed_at = now() where id = person and email_confirmed_at is null;
  if exists (select from auth.identities where user_id = person and id <> new.id) then
    perform private.mail_of_ended_access(person, true);
    perform private.end_grants(person, 'address-proved');
    select jsonb_build_object('sub', person, 'email', email) into bare from auth.users where id = person;
    update auth.users set encrypted_password = null,
      raw_user_meta_data = case jsonb_typeof(raw_user_meta_data) when 'string' then to_jsonb(bare::text) else bare end
      where id = person;
    update auth.identities set
      identity_data = case jsonb_typeof(identity_data) when 'string' then to_jsonb(bare::text) else bare end
      where user_id = person and id <> new.id;
  end if;
  return new;
end;
$function$;

-- Finds or creates the account of a Telegram user who has just been authenticated. The only way such an account is made.
CREATE OR REPLACE FUNCTION private.enter_by_telegram(telegram_id bigint, metadata jsonb, OUT user_id uuid, OUT is_new boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  telegram constant text := 'custom:telegram';
begin
  -- Two sign-ins at the same time make one account.
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  perform private.lock_person(known.user_id) from auth.identities as known
  where provider = telegram and provider_id = telegram_id::text;
  update auth.identities as known set identity_data = metadata, last_sign_in_at = now(), updated_at = now()
  where provider = telegram and provider_id = telegram_id::text
  returning known.user_id into user_id;
  is_new := not found;
  if not is_new then
    return;
  end if;
  insert into auth.users (raw_app_meta_data, raw_user_meta_data)
  values (jsonb_build_object('provider', telegram, 'providers', jsonb_build_array(telegram)), metadata)
  returning id into user_id;
  insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
  values (user_id, telegram, telegram_id::text, metadata, now());
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_address_link(token text, OUT person uuid, OUT kind text, OUT address text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_hosted() then
    select link.user_id, link.kind, link.email into person, kind, address
    from private.mailed_links as link join auth.users on users.id = link.user_id
    where link.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex') and link.kind in ('signup', 'email_change')
      and link.expires_at > now() and (users.banned_until is null or users.banned_until <= now())
      and link.email = case link.kind when 'signup' then users.email else users.email_change end;
    return;
  end if;
  select users.id, case when users.confirmation_token = token then 'signup' else 'email_change' end,
    case when users.confirmation_token = token then users.email else users.email_change end
  into person, kind, address
  from auth.users
  where char_length(token) >= 32 and (users.banned_until is null or users.banned_until <= now()) and (
    users.confirmation_token = token and users.email_confirmed_at is null
      and users.confirmation_sent_at > now() - interval '1 day'
    or users.email_change_token_new = token and users.email_change_sent_at > now() - interval '1 day'
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.flows_can_link()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from pg_catalog.pg_attribute
    where attrelid = 'auth.flow_state'::regclass and attname = 'linking_target_id' and not attisdropped
  );
$function$;

CREATE OR REPLACE FUNCTION private.follow_auth_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles (id, full_name, email, language)
  values (
    new.id,
    private.full_name_of(new.raw_user_meta_data),
    new.email,
    private.language_of(new.raw_user_meta_data)
  )
  on conflict (id) do update set full_name = excluded.full_name, email = excluded.email;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_changed_password()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_mails (kind, user_id) values ('password-changed', new.id);
  perform private.note_security_event(new.id, 'password_changed', null, null, 1, now());
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_chat_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.state = 'connected' then
    delete from watch.unreachable_people where user_id = new.user_id;
  end if;
  if old.state in ('connected', 'blocked', 'unreachable') and (tg_op = 'DELETE' or new.state = 'declined') then
    perform private.note_security_event(old.user_id, 'chat_removed', null, null, 1, now());
  elsif new.state = 'connected' and coalesce(old.state, 'waiting') in ('waiting', 'declined') then
    perform private.note_security_event(new.user_id, 'chat_connected', null, null, 1, now());
    insert into private.account_mails (kind, user_id, chat_id) values ('chat-connected', new.user_id, new.chat_id);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_grants(old.id, 'deleted');
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
begin
  if private.flows_can_link() and not private.is_hosted() then
    delete from auth.flow_state where linking_session_id in (select id from ended);
  end if;
  -- The embedded auth service raises these events itself.
  if private.is_hosted() then
    for person in
      select distinct user_id from ended
      where exists (select from auth.users where id = ended.user_id)
        and not exists (select from auth.sessions where sessions.user_id = ended.user_id)
    loop
      perform private.end_grants(person, 'signed-out-everywhere');
    end loop;
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_identities(person uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update auth.users set raw_app_meta_data = private.metadata_of(raw_app_meta_data) || jsonb_build_object('providers', (
    select jsonb_agg(distinct provider) from auth.identities where user_id = person
  ))
  where id = person;
$function$;

CREATE OR REPLACE FUNCTION private.follow_new_password()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- The auth service names the session; GoTrue does not.
  changing constant uuid := nullif(current_setting('sereno.kept_session', true), '')::uuid;
  proving constant uuid := (
    select sessions.id from auth.sessions join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = new.id and claims.authentication_method in ('recovery', 'otp')
      and claims.updated_at > now() - interval '1 hour' and sessions.id = coalesce(changing, sessions.id)
    order by claims.updated_at desc limit 1
  );
begin
  perform private.end_grants(
    new.id, case when proving is null then 'password-changed' else 'reset-used' end, coalesce(changing, proving)
  );
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_receiver_ids()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner constant uuid := coalesce(new.user_id, old.user_id);
  named bigint[];
  added bigint[];
  followed text[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select id::bigint from unnest(new.receiver_ids) as id
      where not exists (select from public.chats where chats.user_id = owner and chats.chat_id = id::bigint)
        and not exists (select from watch.moved_chats where from_chat_id = id::bigint)
    );
    -- Inserts or locks the row, so that two accounts that add an id at once are serialised.
    insert into watch.chats as known (chat_id)
    select id from unnest(added) as id order by id
    on conflict (chat_id) do update set standing = known.standing;

    -- After the lock: the group may have moved in the meantime.
    followed := private.followed_ids(new.receiver_ids);
    if followed is distinct from new.receiver_ids then
      update public.searches set receiver_ids = followed where id = new.id;
      return null;
    end if;
  end if;

  named := array(
    select distinct held.chat::bigint from public.searches cross join unnest(receiver_ids) as held (chat)
    where user_id = owner
  );
  -- Joined accounts may have more; only a further one is refused.
  if cardinality(added) > 0 and cardinality(named) > 10 then
    raise exception 'Ten chats are enough for one person' using errcode = 'PT409', detail = 'too-many-chats';
  end if;
  delete from public.chats where user_id = owner and not (chat_id = any (named));
  delete from watch.search_chats
  where search_id = old.id and tg_op = 'UPDATE' and not (chat_id::text = any (new.receiver_ids));
  if tg_op <> 'DELETE' then
    perform private.add_chats(owner, added);
    perform private.ask_waiting_chats(owner);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_receives()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.chat_id < 0 and new.state = 'connected' and new.confirmed_at is not null and new.receives = 'everything'
    and (tg_op = 'INSERT' or old.state <> 'connected' or old.confirmed_at is null) then
    new.receives := coalesce((
      select theirs.receives from public.chats as theirs join watch.confirmed_chats using (user_id, chat_id)
      where theirs.chat_id = new.chat_id and theirs.user_id <> new.user_id
      order by theirs.created_at, theirs.user_id limit 1
    ), new.receives);
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_grants(new.id, 'suspended');
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.follow_unlinked_identity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(current_setting('sereno.ending_grants', true), '') <> old.user_id::text
    and exists (select from auth.users where id = old.user_id) then
    if old.provider = 'custom:telegram' and coalesce(current_setting('sereno.keeps_chat', true), '') = '' then
      perform private.end_private_chat(
        old.user_id, case when old.provider_id ~ '^[1-9][0-9]{0,15}$' then old.provider_id::bigint end
      );
    end if;
    perform private.end_grants(
      old.user_id, 'provider-unlinked',
      case when (select auth.uid()) = old.user_id then (select auth.jwt() ->> 'session_id')::uuid end
    );
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.followed_ids(receiver_ids text[])
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array_agg(followed.id order by followed.place)
  from (
    select coalesce(moved.to_chat_id::text, given.id) as id, min(given.place) as place
    from unnest(receiver_ids) with ordinality as given (id, place)
    left join watch.moved_chats as moved on moved.from_chat_id = given.id::bigint
    group by 1
  ) as followed;
$function$;

CREATE OR REPLACE FUNCTION private.forget_ended_alert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from watch.alerts where id = new.id;
  delete from watch.chat_paces as pace where chat_id = new.chat_id
    and not exists (select from watch.chats where chats.chat_id = pace.chat_id);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_keeper()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update watch.alerts set payload = jsonb_set(payload, '{keeperIds}', (payload -> 'keeperIds') - old.id::text)
  where kind = 'kept' and payload -> 'keeperIds' ? old.id::text and user_id <> old.id;
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_message_of_moved_chat()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.message_id := null;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_travel_times()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from watch.travel_times where place_id = new.id;
  insert into watch.moved_places (place_id, moved_at) values (new.id, now())
  on conflict (place_id) do update set moved_at = excluded.moved_at;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.full_name_of(metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select nullif(left(btrim(private.metadata_of(metadata) ->> 'full_name'), 200), '');
$function$;

CREATE OR REPLACE FUNCTION private.hash_of_limit(limited text)
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  secret constant text := (
    select value from private.server_keys where name = 'hash_secret' and honoured_until is null
  );
begin
  if secret is null then
    raise exception 'There is no key for hashes: the embedded Supabase creates it';
  end if;
  return sha256(convert_to(secret || ' ' || limited || ' ' || secret, 'UTF8'));
end;
$function$;

-- Whether GoTrue writes the schema auth, as on hosted Supabase.
CREATE OR REPLACE FUNCTION private.is_hosted()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select to_regclass('auth.one_time_tokens') is not null;
$function$;

CREATE OR REPLACE FUNCTION private.is_replaceable(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
      select from auth.users
      where id = person and coalesce(email, '') = '' and coalesce(encrypted_password, '') = ''
        and (banned_until is null or banned_until <= now())
    )
    and not exists (select from auth.identities where user_id = person and provider <> 'custom:telegram')
    and not exists (select from public.searches where user_id = person)
    and not exists (select from public.marks where user_id = person)
    and not exists (select from public.own_places where user_id = person)
    and not exists (select from public.find_settings where user_id = person)
    and not exists (select from public.listings where user_id = person)
    and not exists (select from public.mail_addresses where user_id = person);
$function$;

CREATE OR REPLACE FUNCTION private.is_session_proved(session uuid, person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from auth.mfa_amr_claims as claims
    join auth.sessions on sessions.id = claims.session_id
    join auth.users on users.id = sessions.user_id
    where sessions.id = session and users.id = person
      and case claims.authentication_method
        when 'password' then claims.updated_at > now() - interval '10 minutes'
        when 'recovery' then claims.updated_at > now() - interval '15 minutes'
        when 'oauth' then coalesce(users.encrypted_password, '') = '' and claims.updated_at > now() - interval '10 minutes'
        else false
      end
  );
$function$;

CREATE OR REPLACE FUNCTION private.is_suspended(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from auth.users where id = person and banned_until > now());
$function$;

CREATE OR REPLACE FUNCTION private.language_of(metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select found.language
  from (select private.metadata_of(metadata) ->> 'language' as language) as found
  where found.language ~ '^[a-z]{2}$';
$function$;

CREATE OR REPLACE FUNCTION private.limit_accounts_in_chats(telegram_id bigint, at timestamp with time zone, OUT outcome text, OUT free_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  own constant bytea := private.hash_of_limit('account of telegram ' || telegram_id);
  everyone constant bytea := private.hash_of_limit('accounts of all chats');
begin
  free_at := private.next_allowance(own, 2, '7 days', at);
  if free_at > at then
    outcome := 'slowed';
    return;
  end if;
  free_at := private.next_allowance(everyone, 30, '5 minutes', at);
  if free_at > at then
    outcome := 'busy';
    return;
  end if;
  perform private.spend_allowance(own, 2, '7 days', at);
  perform private.spend_allowance(everyone, 30, '5 minutes', at);
end;
$function$;

CREATE OR REPLACE FUNCTION private.limit_of_chats(person uuid, chat bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when (
      select count(*) from public.chats where chat_id = chat and user_id <> person and state = 'connected'
    ) >= 5 then 'chat-full'
    when (
      select count(*) from (
        select chat_id from public.chats where user_id = person
        union
        select unnest(receiver_ids)::bigint from public.searches where user_id = person
      ) as held (id) where id <> chat
    ) >= 10 then 'person-full'
  end;
$function$;

CREATE OR REPLACE FUNCTION private.limit_own_places()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Serialised per person: parallel requests would not see each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('own places of ' || new.user_id, 0));
  if (select count(*) from public.own_places where user_id = new.user_id and id <> new.id) >= 3 then
    raise exception 'Three places are enough for one person' using errcode = 'PT409', detail = 'too-many-places';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.limit_running_searches()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.is_paused or not old.is_paused then
    return new;
  end if;
  perform private.lock_person(new.user_id);
  if (select count(*) from public.searches where user_id = new.user_id and id <> new.id and not is_paused) < 10 then
    return new;
  end if;
  if (select auth.uid()) is not null then
    raise exception 'Ten searches are enough for one person' using errcode = 'PT409', detail = 'too-many-searches';
  end if;
  new.is_paused := true;
  return new;
end;
$function$;

-- Ends the session that was not used for longest when a person has more than 30.
CREATE OR REPLACE FUNCTION private.limit_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions where id in (
    select id from auth.sessions where user_id = new.user_id
    order by id = new.id desc, greatest(created_at, refreshed_at at time zone 'utc') desc, id
    offset 30
  );
  return null;
end;
$function$;

-- Adds the Telegram user who has just signed in to the account whose session has allowed this flow to.
CREATE OR REPLACE FUNCTION private.link_telegram(flow uuid, telegram_id bigint, metadata jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  telegram constant text := 'custom:telegram';
  person constant uuid := (select user_id from private.telegram_links where flow_id = flow);
  owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  owner := (select user_id from auth.identities where provider = telegram and provider_id = telegram_id::text);
  perform private.lock_person(id) from (
    select id from unnest(array[person, owner]) as id where id is not null order by id
  ) as both_accounts;
  -- Only the holder of the Telegram lock adds the identity, but its account may have removed it before we locked that.
  owner := (select user_id from auth.identities where provider = telegram and provider_id = telegram_id::text);
  delete from private.telegram_links where flow_id = flow and allowed_at > now() - interval '10 minutes';
  if not found or private.is_suspended(person) then
    return 'not-allowed';
  end if;
  if owner = person then
    return 'linked';
  end if;
  if exists (select from auth.identities where user_id = person and provider = telegram) then
    return 'has-another';
  end if;
  if owner is not null and not private.is_replaceable(owner) then
    return 'other-account';
  end if;
  if owner is not null then
    perform private.replace_account(owner, person, telegram_id, metadata);
  else
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (person, telegram, telegram_id::text, metadata, now());
  end if;
  perform private.follow_identities(person);
  insert into private.account_mails (kind, user_id) values ('telegram-linked', person);
  perform private.note_security_event(person, 'telegram_linked', null, null, 1, now());
  return 'linked';
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_caller()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  if me is not null then
    perform private.lock_person(me);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_deleted_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_person(old.id);
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_person(person uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select pg_advisory_xact_lock(hashtextextended('filter ' || person, 0));
$function$;
grant execute on function private.lock_person(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.lock_person_and_chat(person uuid, chat bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.lock_person(person);
  perform from public.searches where user_id = person order by created_at, id for update;
  perform from watch.chats where chat_id = chat for update;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_session()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_person(private.require_caller());
  return private.require_session();
end;
$function$;
grant execute on function private.lock_session() to authenticated;

CREATE OR REPLACE FUNCTION private.mail_of_ended_access(person uuid, with_password boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.account_mails (kind, user_id)
  select 'access-ended', person
  where exists (select from public.chats where user_id = person and state in ('connected', 'blocked', 'unreachable'))
    or exists (select from public.mail_addresses where user_id = person)
    or exists (select from auth.identities where user_id = person and provider = 'custom:telegram')
    or with_password and exists (select from auth.users where id = person and encrypted_password <> '');
$function$;

CREATE OR REPLACE FUNCTION private.masked_account(person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when email <> '' then left(email, 1) || '***' || substring(email from '@.*$')
    else coalesce(left(private.plain_name(full_name), 1), '') || '*** (Telegram)'
  end
  from public.profiles where id = person;
$function$;

CREATE OR REPLACE FUNCTION private.may_be_asked(owner uuid, chat bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    (select count(*) from watch.chat_questions where chat_id = chat and asked_at > now() - interval '1 day') < 5
    and (select count(*) from watch.chat_questions where user_id = owner and asked_at > now() - interval '1 day') < 20;
$function$;

CREATE OR REPLACE FUNCTION private.may_end_reset_links(person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  key constant bytea := sha256(convert_to('ended reset links of ' || person, 'UTF8'));
begin
  -- GoTrue keeps its links, and its own rules, elsewhere.
  if private.is_hosted()
    or not exists (select from private.mailed_links where user_id = person and kind = 'recovery') then
    return true;
  end if;
  if private.next_allowance(key, 1, '1 day', now()) > now() then
    return false;
  end if;
  perform private.spend_allowance(key, 1, '1 day', now());
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.metadata_of(metadata jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case jsonb_typeof(metadata) when 'string' then (metadata #>> '{}')::jsonb else metadata end;
$function$;

CREATE OR REPLACE FUNCTION private.move_shortlist()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into watch.shortlists (chat_id, home_id, kept_at, by_two_at)
  select new.to_chat_id, home_id, kept_at, by_two_at from watch.shortlists where chat_id = new.from_chat_id
  on conflict do nothing;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_account()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', users.id,
    'email', users.email,
    'new_email', nullif(users.email_change, ''),
    'created_at', users.created_at,
    'last_sign_in_at', users.last_sign_in_at,
    'metadata', private.metadata_of(users.raw_user_meta_data),
    'sign_in_with', (
      select coalesce(jsonb_agg(identities.provider order by identities.provider), '[]')
      from auth.identities where identities.user_id = users.id
    )
  )
  from auth.users where users.id = (select auth.uid());
$function$;
grant execute on function private.my_account() to authenticated;

CREATE OR REPLACE FUNCTION private.my_alerts()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'chat_id', chat_id, 'kind', kind, 'listing_id', listing_id, 'state', state, 'created_at', created_at,
        'sent_at', sent_at, 'payload', payload - 'keeperIds'
      ) order by position
    ),
    '[]'
  )
  from watch.alerts where user_id = (select auth.uid());
$function$;
grant execute on function private.my_alerts() to authenticated;

CREATE OR REPLACE FUNCTION private.my_events()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(security_events) - 'id' - 'user_id' order by happened_at, id), '[]')
  from private.security_events where user_id = (select auth.uid());
$function$;
grant execute on function private.my_events() to authenticated;

CREATE OR REPLACE FUNCTION private.my_marks()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'listing_id', listing_id, 'mark', mark, 'note', note, 'created_at', created_at, 'updated_at', updated_at
      ) order by created_at, listing_id
    ),
    '[]'
  )
  from public.marks where user_id = (select auth.uid());
$function$;
grant execute on function private.my_marks() to authenticated;

CREATE OR REPLACE FUNCTION private.my_other_rows()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'profile', (
      select jsonb_build_object('mails_when_away', profiles.mails_when_away, 'time_zone', profiles.time_zone)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'sign_ins', (
      select coalesce(
        jsonb_agg(jsonb_build_object(
          'provider', identities.provider, 'provider_id', identities.provider_id, 'data', private.metadata_of(identities.identity_data),
          'created_at', identities.created_at, 'last_sign_in_at', identities.last_sign_in_at
        ) order by identities.created_at, identities.provider), '[]'
      )
      from auth.identities where identities.user_id = (select auth.uid())
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(jsonb_build_object('created_at', sessions.created_at, 'user_agent', sessions.user_agent) order by sessions.created_at), '[]'
      )
      from auth.sessions where sessions.user_id = (select auth.uid())
    ),
    'address_proved_at', (
      select proved.proved_at from private.proven_addresses as proved where proved.user_id = (select auth.uid())
    ),
    'left_outs', (
      select coalesce(jsonb_agg(to_jsonb(left_outs) - 'user_id' order by left_outs.left_out_at, left_outs.listing_id), '[]')
      from public.left_outs where left_outs.user_id = (select auth.uid())
    ),
    'mail_listings', (
      select coalesce(jsonb_agg(to_jsonb(mailed) - 'user_id' order by mailed.sent_at, mailed.listing_id), '[]')
      from watch.mail_listings as mailed where mailed.user_id = (select auth.uid())
    ),
    'chat_questions', (
      select coalesce(jsonb_agg(to_jsonb(asked) - 'user_id' order by asked.asked_at, asked.chat_id), '[]')
      from watch.chat_questions as asked where asked.user_id = (select auth.uid())
    ),
    'search_chats', (
      select coalesce(jsonb_agg(to_jsonb(here) order by here.search_id, here.chat_id), '[]')
      from watch.search_chats as here join public.searches as mine on mine.id = here.search_id
      where mine.user_id = (select auth.uid())
    ),
    'travel_times', (
      select coalesce(jsonb_agg(to_jsonb(known) order by known.place_id, known.latitude, known.longitude), '[]')
      from watch.travel_times as known join public.own_places as mine on mine.id = known.place_id
      where mine.user_id = (select auth.uid())
    ),
    'search_previews', (
      select coalesce(jsonb_agg(jsonb_build_object('filter_url', asked.filter_url, 'asked_at', asked.asked_at) order by asked.asked_at), '[]')
      from watch.search_previews as asked where asked.user_id = (select auth.uid())
    ),
    'waiting_searches', (
      select coalesce(jsonb_agg(to_jsonb(waiting) - 'user_id' order by waiting.search_id), '[]')
      from watch.waiting_searches as waiting where waiting.user_id = (select auth.uid())
    ),
    'unreachable_since', (
      select unreachable.since from watch.unreachable_people as unreachable where unreachable.user_id = (select auth.uid())
    ),
    'alerts_mailed_at', (
      select away.mailed_at from watch.away_mails as away where away.user_id = (select auth.uid())
    ),
    'coverage', (
      select coalesce(jsonb_agg(to_jsonb(covered) - 'feed_key' order by covered.from_at, covered.search_id), '[]')
      from watch.coverage as covered join public.searches as mine on mine.id = covered.search_id
      where mine.user_id = (select auth.uid())
    ),
    'gaps', (
      select coalesce(jsonb_agg(to_jsonb(missed) - 'feed_key' order by missed.from_at, missed.search_id), '[]')
      from watch.gaps as missed join public.searches as mine on mine.id = missed.search_id
      where mine.user_id = (select auth.uid())
    ),
    'told', (
      select coalesce(jsonb_agg(to_jsonb(told) - 'user_id' order by told.told_at, told.listing_id), '[]')
      from watch.told where told.user_id = (select auth.uid())
    )
  );
$function$;
grant execute on function private.my_other_rows() to authenticated;

CREATE OR REPLACE FUNCTION private.names_in_chat(reader uuid, chat bigint, people uuid[])
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select array_agg(coalesce(private.plain_name(full_name), private.account_in_chat(named.id, chat)) order by place)
  from unnest(people) with ordinality as named (id, place)
  join watch.confirmed_chats as theirs on theirs.user_id = named.id and theirs.chat_id = chat
  join public.profiles on profiles.id = named.id
  where exists (select from watch.confirmed_chats where user_id = reader and chat_id = chat);
$function$;

CREATE OR REPLACE FUNCTION private.next_allowance(hash bytea, burst integer, every interval, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kept private.guard_allowances;
  missing double precision;
begin
  insert into private.guard_allowances (key, tokens, refilled_at, full_at) values (hash, burst, at, at)
  on conflict (key) do nothing;
  select * into kept from private.guard_allowances where key = hash for update;
  missing := 1 - kept.tokens - greatest(0, extract(epoch from at - kept.refilled_at) / extract(epoch from every));
  return case when missing <= 0 then at else at + missing * every end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_added_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  perform private.note_security_event(new.id, 'email_added', null, null, 1, now());
  perform private.write_notice(new.id, jsonb_build_object(
    'notice', 'email-added', 'email', left(new.email, 1) || '***' || substring(new.email from '@.*$')
  ));
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_answer(person uuid, chat bigint, said text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- An answer without a question does not count as a question.
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
  select person, chat, 'epoch', said where said is not null
  on conflict (user_id, chat_id) do update set
    answer = excluded.answer, is_stop = false, is_own = chat_questions.is_own and excluded.answer = 'yes';

  update watch.chat_questions set answer = null, is_stop = false
  where said is null and user_id = person and chat_id = chat and answer = 'no';

  update watch.alerts set state = 'merged'
  where user_id = person and chat_id = chat and kind in ('question', 'connected') and state = 'pending';
$function$;

CREATE OR REPLACE FUNCTION private.note_browser(person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_first boolean;
  is_mailed boolean;
begin
  update private.known_browsers set last_used_at = moment, session_id = coalesce(session, session_id)
  where user_id = person and browser_hash = hash;
  if found then
    return;
  end if;
  is_first := event_kind = 'sign_in'
    and exists (
      select from auth.users
      where id = person and coalesce(email, '') = '' and created_at > moment - interval '10 minutes'
    )
    and not exists (select from private.known_browsers where user_id = person);
  is_mailed := event_kind = 'sign_in' and not is_first
    and (
      exists (select from private.proven_addresses where user_id = person)
      or exists (select from auth.identities where user_id = person and provider = 'google')
      or exists (select from auth.users where id = person and coalesce(email, '') = '')
    )
    and (
      select count(*) from private.known_browsers where user_id = person and mailed_at > moment - interval '1 day'
    ) < 3;
  insert into private.known_browsers (user_id, browser_hash, last_used_at, session_id, mailed_at)
  values (person, hash, moment, session, case when is_mailed then moment end);
  if is_mailed then
    insert into private.account_mails (kind, user_id, browser, platform, created_at)
    values ('new-browser', person, event_browser, event_platform, moment);
  elsif is_first then
    perform private.write_notice(person, jsonb_build_object('notice', 'welcome'));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_confirmed_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_ended_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.known_browsers
  set last_used_at = greatest(last_used_at, old.created_at, old.refreshed_at at time zone 'utc')
  where user_id = old.user_id and session_id = old.id;
  perform private.note_security_event(old.user_id, 'session_ended', null, null, 1, now());
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_my_export()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.note_security_event((select auth.uid()), 'export', null, null, 1, now());
$function$;
grant execute on function private.note_my_export() to authenticated;

CREATE OR REPLACE FUNCTION private.note_proven_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- The auth service names the session; GoTrue does not.
  changing constant uuid := nullif(current_setting('sereno.kept_session', true), '')::uuid;
  proving constant uuid := (
    select sessions.id from auth.sessions join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = new.id and claims.authentication_method in ('recovery', 'otp')
      and claims.updated_at > now() - interval '1 hour' and sessions.id = coalesce(changing, sessions.id)
    order by claims.updated_at desc limit 1
  );
begin
  if proving is null then
    return null;
  end if;
  insert into private.proven_addresses (user_id) values (new.id) on conflict do nothing;
  if found then
    update auth.users set email_confirmed_at = now() where id = new.id and email_confirmed_at is null;
    perform private.mail_of_ended_access(new.id, false);
    perform private.end_grants(new.id, 'address-proved', proving);
    perform private.follow_identities(new.id);
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_resumed(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update watch.compiled_searches set resumed_at = now() where filter_id = any (ids) and stopped_at is not null;
$function$;

CREATE OR REPLACE FUNCTION private.note_security_event(person uuid, event_kind text, event_browser text, event_platform text, occurrences integer, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The account is being deleted.
  if not exists (select from auth.users where id = person) then
    return;
  end if;
  update private.security_events set times = times + occurrences, happened_at = greatest(happened_at, moment)
  where id = (
    select id from private.security_events
    where user_id = person and kind = event_kind and began_at > moment - interval '1 hour'
      and browser is not distinct from event_browser and platform is not distinct from event_platform
    order by began_at desc limit 1 for update skip locked
  );
  if found then
    return;
  end if;
  if event_kind = 'wrong_password' and (
    select count(*) from private.security_events
    where user_id = person and kind = event_kind and began_at > moment - interval '1 day'
  ) >= 10 then
    update private.security_events set
      times = times + occurrences, happened_at = greatest(happened_at, moment), browser = null, platform = null
    where id = (
      select id from private.security_events
      where user_id = person and kind = event_kind order by began_at desc, id desc limit 1
    );
    return;
  end if;
  insert into private.security_events (user_id, kind, browser, platform, times, began_at, happened_at)
  values (person, event_kind, event_browser, event_platform, occurrences, moment, moment);
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_chats_of_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Every chat that the account ever used, including removed ones.
  met constant bigint[] := array(
    select chat_id from public.chats where user_id = old.id
    union select chat_id from watch.chat_questions where user_id = old.id
    union select chat_id from watch.alerts where user_id = old.id
    union select chat_id from watch.link_tokens where user_id = old.id and chat_id is not null
    union select telegram_id from watch.telegram_identities where user_id = old.id
  );
  forgotten bigint[];
begin
  perform private.tell_chats_of_end('account-deleted', old.id, array(
    select chat_id from public.chats where user_id = old.id and state = 'connected'
    -- Nobody mails an account without an address.
    union select private.chat_for_notices(old.id) where coalesce(old.email, '') = ''
  ));

  perform from watch.chats where chat_id = any (met) order by chat_id for update;
  delete from public.chats where user_id = old.id;

  forgotten := array(
    select id from unnest(met) as id where not exists (select from public.chats where chats.chat_id = id)
  );
  delete from watch.chats where chat_id = any (forgotten);
  delete from watch.chat_paces where chat_id = any (forgotten);
  delete from watch.moved_chats where from_chat_id = any (forgotten);
  update watch.link_tokens set chat_id = null where chat_id = any (forgotten);

  -- Other accounts may have added the id of such a chat without its consent: they keep the id, but not the name.
  update watch.chats set kind = null, title = null, language = null, telegram_language = null, asked_id_at = null,
    muted_until = null
  where chat_id = any (met) and not exists (
    select from public.chats where chats.chat_id = watch.chats.chat_id and chats.state not in ('waiting', 'declined')
  );

  -- The key of a feed for only their URL contains the URL. A feed that is being checked is deleted once it is idle.
  delete from watch.feeds where key in (
    select feeds.key from watch.feeds
    where feeds.source = 'by-url'
      and exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id = old.id)
      and not exists (select from watch.compiled_searches as own where own.feed_key = feeds.key and own.user_id <> old.id)
      and not exists (select from watch.demo_filters where demo_filters.feed_key = feeds.key)
    for update skip locked
  );
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.place_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_person(new.user_id);
  if new.first_of is null and not exists (select from public.searches where first_of = new.user_id) then
    new.first_of := new.user_id;
  end if;
  -- An upsert of the first search changes a row instead of adding one.
  if (
    select count(*) from public.searches
    where user_id = new.user_id and id <> new.id and (first_of is null or new.first_of is null)
  ) >= 10 then
    raise exception 'Ten searches are enough for one person' using errcode = 'PT409', detail = 'too-many-searches';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.plain_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select nullif(left(btrim(regexp_replace(regexp_replace(
    name, '[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff]', '', 'g'
  ), '[\s\u0001-\u001f\u007f-\u00a0\u2028\u2029]+', ' ', 'g')), 60), '');
$function$;

CREATE OR REPLACE FUNCTION private.promote_next_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.searches set first_of = user_id
  where id = (select id from public.searches where user_id = old.user_id order by created_at, id limit 1)
    and not exists (select from public.searches where first_of = old.user_id);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.random_token()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select rtrim(
    translate(
      encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'),
      '+/', '-_'
    ),
    '='
  );
$function$;

-- Records an event of the embedded auth service, which may call only this one of these functions.
CREATE OR REPLACE FUNCTION private.record_auth_event(person uuid, event_kind text, event_browser text, event_platform text, hash bytea, session uuid, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  seen integer;
begin
  -- The account may have been deleted since; while it is locked here it is not.
  perform from auth.users where id = person for key share;
  if not found then
    return;
  end if;
  -- Serialised per person: parallel requests would not see each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('security-events ' || person, 0));
  -- Triggers have already recorded these, without the browser.
  if event_kind in ('password_changed', 'password_reset', 'session_ended') then
    with absorbed as (
      delete from private.security_events
      where user_id = person and browser is null and happened_at > moment - interval '1 minute'
        and (kind = event_kind or event_kind = 'password_reset' and kind = 'password_changed')
      returning times
    )
    select sum(times) into seen from absorbed;
    if seen is null and exists (
      select from private.security_events
      where user_id = person and kind = event_kind and happened_at > moment - interval '1 minute'
    ) then
      return;
    end if;
  end if;
  perform private.note_security_event(
    person, event_kind, event_browser, event_platform, coalesce(seen, 1), moment
  );
  if event_kind in ('sign_in', 'sign_up') and exists (select from auth.users where id = person) then
    perform private.note_browser(person, event_kind, event_browser, event_platform, hash, session, moment);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_change_of_first_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'A first search remains the first until it is deleted' using errcode = '42501';
end;
$function$;

CREATE OR REPLACE FUNCTION private.remove_telegram_sign_in(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform set_config('sereno.keeps_chat', 'on', true);
  delete from auth.identities where user_id = person and provider = 'custom:telegram';
  perform set_config('sereno.keeps_chat', '', true);
end;
$function$;

CREATE OR REPLACE FUNCTION private.replace_account(empty uuid, person uuid, telegram_id bigint, metadata jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  title constant text := (
    select chats.title from public.chats where user_id = empty and chat_id = telegram_id and confirmed_at is not null
  );
begin
  perform private.end_grants(empty, 'deleted');
  update auth.identities set user_id = person, identity_data = metadata, last_sign_in_at = now(), updated_at = now()
  where user_id = empty and provider = 'custom:telegram';
  if exists (
    select from public.chats where user_id = empty and chat_id = telegram_id and state = 'connected' and confirmed_at is not null
  ) then
    perform private.connect_own_chat(person, telegram_id, title);
  end if;
  delete from public.chats where user_id = empty;
  perform private.delete_account(empty);
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_caller()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select auth.uid()) is null then
    raise exception 'Only a signed-in person can do this' using errcode = 'insufficient_privilege';
  end if;
  return (select auth.uid());
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_mark_unchanged(person uuid, meant_id text, field text, next text, replaces jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
  saved text;
begin
  if replaces is null then
    return;
  end if;
  -- The lock of watch.mark_home: nobody marks or notes the home between the comparison and the change.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || home, 0));
  select case field when 'mark' then marks.mark else marks.note end into saved
  from public.marks where user_id = person and home_id = home for update;
  if saved is distinct from replaces ->> field and saved is distinct from next then
    raise exception 'The home was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_own_find(person uuid, meant_id text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.listings where user_id = person and listing_id = meant_id) then
    raise exception 'That home was not found for you' using errcode = 'PT404', detail = 'no-such-find';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_proof(session uuid, person uuid, call text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  stored constant text := (select nullif(encrypted_password, '') from auth.users where id = person);
begin
  if current_setting('sereno.proof', true) =
    concat_ws(' ', call, session, encode(sha256(convert_to(stored, 'UTF8')), 'hex')) and stored is not null then
    return;
  end if;
  if private.use_sign_in(session, person) then
    return;
  end if;
  if stored is not null then
    raise exception 'The current password is required' using errcode = 'PT403', detail = 'current_password_required';
  end if;
  raise exception 'Sign in again, then repeat this within ten minutes'
    using errcode = 'PT403', detail = 'reauthentication_needed';
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_session()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
begin
  if not exists (
    select from auth.sessions where id = (select (auth.jwt() ->> 'session_id')::uuid) and user_id = me
  ) then
    raise exception 'The session of this JWT has ended' using errcode = 'PT401';
  end if;
  return me;
end;
$function$;
grant execute on function private.require_session() to authenticated;

CREATE OR REPLACE FUNCTION private.set_search_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.user_id := new.first_of;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.spend_allowance(hash bytea, burst integer, every interval, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.guard_allowances as kept set
    tokens = left_over.tokens, refilled_at = greatest(kept.refilled_at, at),
    full_at = at + (burst - left_over.tokens) * every
  from (
    select least(
      burst, tokens + greatest(0, extract(epoch from at - refilled_at) / extract(epoch from every))
    ) - 1 as tokens
    from private.guard_allowances where key = hash
  ) as left_over
  where key = hash;
$function$;

-- Uses a link, which ends the others of its kind, and locks its account; null for a link that does not work.
CREATE OR REPLACE FUNCTION private.take_mailed_link(hash text, link_kind text, moment timestamp with time zone, OUT person uuid, OUT address text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select link.user_id into person from private.mailed_links as link where link.token_hash = hash;
  if person is null then
    return;
  end if;
  perform private.lock_person(person);
  delete from private.mailed_links as link using auth.users
  where link.token_hash = hash and link.kind = link_kind and link.expires_at > moment and users.id = link.user_id
    and (users.banned_until is null or users.banned_until <= moment)
  returning link.email into address;
  if not found then
    person := null;
    return;
  end if;
  delete from private.mailed_links where user_id = person and kind = link_kind;
end;
$function$;

CREATE OR REPLACE FUNCTION private.tell_chats_of_end(kind text, person uuid, chats bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into watch.alerts (chat_id, kind, payload, language)
  select chat.chat_id, tell_chats_of_end.kind, '{}', coalesce(known.language, profiles.language, known.telegram_language)
  from unnest(chats) as chat (chat_id)
  left join watch.chats as known on known.chat_id = chat.chat_id
  left join public.profiles on profiles.id = person
  where chat.chat_id is not null
  order by chat.chat_id
  on conflict do nothing;
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_deleted_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_mails (kind, email, language, is_proven)
  select 'account-deleted', old.email, coalesce(
    (select profiles.language from public.profiles where profiles.id = old.id),
    private.language_of(old.raw_user_meta_data)
  ), exists (select from private.proven_addresses as proven where proven.user_id = old.id)
  where old.email <> '';
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.use_sign_in(session uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_hosted() then
    return private.is_session_proved(session, person);
  end if;
  delete from auth.mfa_amr_claims as claims using auth.users
  where claims.session_id = session and users.id = person and case claims.authentication_method
    when 'recovery' then claims.updated_at > now() - interval '15 minutes'
    when 'oauth' then coalesce(users.encrypted_password, '') = '' and claims.updated_at > now() - interval '10 minutes'
    else false
  end;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.wait_for_first_save()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.searches where first_of = new.user_id) then
    perform private.lock_person(new.user_id);
  end if;
  return new;
end;
$function$;

-- Writes a notice to the private chat of the account's Telegram user; not about the connection of that chat itself.
CREATE OR REPLACE FUNCTION private.write_notice(person uuid, facts jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into watch.alerts (user_id, chat_id, kind, event_key, payload)
  select person, chat, 'account-notice', gen_random_uuid()::text, facts
  from private.chat_for_notices(person) as chat
  where chat is not null and chat::text is distinct from facts ->> 'chatId' and (
    select count(*) from watch.alerts
    where user_id = person and kind = 'account-notice' and created_at > now() - interval '1 day'
  ) < 10;
$function$;

CREATE OR REPLACE FUNCTION private.write_notice_instead()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.user_id is null or exists (select from auth.users where id = new.user_id and email <> '') then
    return new;
  end if;
  perform private.write_notice(new.user_id, jsonb_strip_nulls(jsonb_build_object(
    'notice', new.kind, 'chatId', new.chat_id::text, 'browser', new.browser, 'platform', new.platform,
    'atMs', floor(extract(epoch from new.created_at) * 1000)
  )));
  return null;
end;
$function$;

-- Lets the flow of this state link a Telegram user within ten minutes; requires the current password, or a recent sign-in.
CREATE OR REPLACE FUNCTION public.allow_telegram_link(state text, current_password text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
  flow constant uuid := substring(encode(sha256(convert_to('state ' || state, 'UTF8')), 'hex') for 32)::uuid;
begin
  perform private.require_proof(session, me, 'allow_telegram_link');
  if private.is_hosted() then
    return;
  end if;
  -- GoTrue has no column for the session.
  if not exists (
    select from auth.flow_state
    where id = flow and linking_target_id = me and linking_session_id = session and not is_state_used
  ) then
    raise exception 'This session has begun no such link' using errcode = 'PT404', detail = 'no-such-link';
  end if;
  insert into private.telegram_links as link (flow_id, session_id, user_id) values (flow, session, me)
  on conflict (session_id) do update set flow_id = excluded.flow_id, allowed_at = now();
end;
$function$;
grant execute on function public.allow_telegram_link(text,text) to authenticated;

-- Treats a home that rules of the caller left out as found, and sends its alert.
CREATE OR REPLACE FUNCTION public.bring_back(listing_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  advert text;
begin
  perform private.require_own_find(me, bring_back.listing_id);
  for advert in
    select held.listing_id from public.listings as held
    where held.user_id = me and held.home_id = watch.home_meant(me, bring_back.listing_id)
    order by held.created_at desc, held.listing_id desc
  loop
    perform watch.bring_back(me, advert, now());
  end loop;
end;
$function$;
grant execute on function public.bring_back(text) to authenticated;

-- Returns a token that connects a chat to the caller within fifteen minutes, for the given search or the first.
CREATE OR REPLACE FUNCTION public.create_telegram_link(search_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.lock_session();
  token constant text := private.random_token();
  expiry constant timestamptz := now() + interval '15 minutes';
begin
  if (select count(*) from watch.link_tokens where user_id = me and created_at > now() - interval '1 hour') >= 30 then
    raise exception 'Too many links in an hour' using errcode = 'PT429', detail = 'too-many-links';
  end if;
  delete from watch.link_tokens where user_id = me and created_at < now() - interval '1 day';
  if search_id is not null and not exists (
    select from public.searches where user_id = me and id = create_telegram_link.search_id
  ) then
    raise exception 'You have no such search' using errcode = 'PT404', detail = 'no-such-search';
  end if;
  insert into watch.link_tokens (token_hash, user_id, expires_at, search_id)
  values (sha256(convert_to(token, 'UTF8')), me, expiry, create_telegram_link.search_id);
  return jsonb_build_object('token', token, 'expires_at', expiry);
end;
$function$;
grant execute on function public.create_telegram_link(uuid) to authenticated;

-- Deletes the caller's account and everything kept about them; requires the current password, or a recent sign-in.
CREATE OR REPLACE FUNCTION public.delete_my_account(current_password text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.lock_session();
begin
  perform private.require_proof((select (auth.jwt() ->> 'session_id')::uuid), me, 'delete_my_account');
  perform private.delete_account(me);
end;
$function$;
grant execute on function public.delete_my_account(text) to authenticated;

-- What the account is whose address a mailed link proves, for whoever has the link; null if the link does not work.
CREATE OR REPLACE FUNCTION public.describe_address_link(token_hash text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link record;
begin
  select * into link from private.find_address_link(describe_address_link.token_hash);
  if link.person is null then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'kind', link.kind,
      'email', link.address,
      'opened_at', users.created_at,
      'browser', (
        select jsonb_build_object('family', events.browser, 'platform', events.platform)
        from private.security_events as events
        where events.user_id = users.id and events.kind in ('sign_up', 'sign_in') and events.browser is not null
        order by events.began_at, events.id limit 1
      ),
      'has_password', coalesce(users.encrypted_password, '') <> '',
      'sign_ins', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'provider', own.provider, 'name', private.plain_name(private.metadata_of(own.identity_data) ->> 'full_name')
        ) order by own.created_at, own.id), '[]')
        from auth.identities as own where own.user_id = users.id and own.provider <> 'email'
      ),
      -- A chat that has not said whose it is keeps its name to itself.
      'chats', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', chats.kind, 'name', private.plain_name(chats.title), 'digits', right(chats.chat_id::text, 4)
        ) order by chats.created_at, chats.chat_id), '[]')
        from public.chats where chats.user_id = users.id and chats.state in ('connected', 'blocked', 'unreachable')
      ),
      'searches', (select count(*) from public.searches where searches.user_id = users.id)
    )
    from auth.users where users.id = link.person
  );
end;
$function$;
grant execute on function public.describe_address_link(text) to anon;
grant execute on function public.describe_address_link(text) to authenticated;

-- Ends one of the caller's sessions immediately. Returns whether it existed.
CREATE OR REPLACE FUNCTION public.end_my_session(session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.lock_session();
begin
  delete from auth.sessions where id = end_my_session.session_id and user_id = me;
  if not found then
    return false;
  end if;
  perform private.end_grants(me, 'signed-out-here');
  return true;
end;
$function$;
grant execute on function public.end_my_session(uuid) to authenticated;

-- Everything the product keeps about the caller, as one JSON object.
CREATE OR REPLACE FUNCTION public.export_my_data()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.note_my_export();
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object('full_name', profiles.full_name, 'language', profiles.language)
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'searches', (
      select coalesce(
        jsonb_agg(to_jsonb(searches) - 'first_of' - 'user_id' order by is_first desc, created_at, id), '[]'
      )
      from public.searches where user_id = (select auth.uid())
    ),
    'chats', (
      select coalesce(jsonb_agg(to_jsonb(chats) - 'user_id' order by created_at, chat_id), '[]')
      from public.chats where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    ),
    'alerts', private.my_alerts(),
    'marks', private.my_marks(),
    'own_places', (
      select coalesce(jsonb_agg(to_jsonb(own_places) - 'user_id' order by created_at, id), '[]')
      from public.own_places where user_id = (select auth.uid())
    ),
    'find_settings', (
      select to_jsonb(find_settings) - 'user_id' from public.find_settings where user_id = (select auth.uid())
    ),
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    ),
    'security_events', private.my_events()
  ) || private.my_other_rows();
$function$;
grant execute on function public.export_my_data() to authenticated;

-- Whether the caller's account has a password, or only a sign-in with a provider.
CREATE OR REPLACE FUNCTION public.has_password()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from auth.users where id = (select auth.uid()) and coalesce(encrypted_password, '') <> ''
  );
$function$;
grant execute on function public.has_password() to authenticated;

-- Sends the steps for alert mails to the caller's own address, or to their private chat if there is none; three a day.
CREATE OR REPLACE FUNCTION public.mail_alert_steps()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  perform pg_advisory_xact_lock(hashtextextended('mailed-steps ' || me, 0));
  if (select count(*) from watch.mailed_steps where user_id = me and mailed_at > now() - interval '1 day') >= 3 then
    raise exception 'Three mails a day are enough' using errcode = 'PT429', detail = 'too-many-mails';
  end if;
  if not exists (select from auth.users where id = me and email <> '') and private.chat_for_notices(me) is null then
    raise exception 'There is neither an address nor a chat to send them to' using errcode = 'PT409', detail = 'no-chat';
  end if;
  delete from watch.mailed_steps where user_id = me and mailed_at <= now() - interval '1 day';
  insert into watch.mailed_steps (user_id) values (me);
  insert into private.account_mails (kind, user_id) values ('alert-mail-steps', me);
end;
$function$;
grant execute on function public.mail_alert_steps() to authenticated;

-- Keeps or hides a home that was found for the caller; null undoes it. Refused if the mark is no longer the one of `replaces`.
CREATE OR REPLACE FUNCTION public.mark_find(listing_id text, mark text DEFAULT NULL::text, replaces jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
begin
  perform private.require_own_find(me, mark_find.listing_id);
  if mark_find.mark not in ('kept', 'hidden') then
    raise exception 'A home is kept, hidden or neither' using errcode = '22023';
  end if;
  perform private.require_mark_unchanged(me, mark_find.listing_id, 'mark', mark_find.mark, mark_find.replaces);
  perform watch.mark_home(me, mark_find.listing_id, mark_find.mark, now());
end;
$function$;
grant execute on function public.mark_find(text,text,jsonb) to authenticated;

-- What Sereno measured in the last 30 days: MeasuredFigures, or null before the first measurement. Computes nothing.
CREATE OR REPLACE FUNCTION public.measured_figures()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select figures || jsonb_build_object('measured_at', measured_at) from watch.measured_figures;
$function$;
grant execute on function public.measured_figures() to anon;
grant execute on function public.measured_figures() to authenticated;

-- The alerts of the last week that could not be delivered to the caller's chats, and why.
CREATE OR REPLACE FUNCTION public.my_failed_alerts()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'listing_id', listing_id, 'home', payload -> 'listing', 'url', payload -> 'listing' ->> 'url',
      'price_eur', payload -> 'listing' -> 'priceEur', 'reason', failure, 'failed_at', failed_at
    ) order by failed_at desc, position desc), '[]'
  )
  from (
    select * from watch.alerts as failed
    where failed.user_id = (select auth.uid()) and failed.failure is not null
      and failed.failed_at > now() - interval '7 days' and failed.kind <> 'question'
      and not exists (
        select from watch.alerts as other
        where other.user_id = failed.user_id and other.listing_id = failed.listing_id and other.kind = failed.kind
          and other.event_key = failed.event_key and other.sent_at is not null
      )
    order by failed.failed_at desc, failed.position desc limit 20
  ) as latest;
$function$;
grant execute on function public.my_failed_alerts() to authenticated;

-- The details of one home that was found for the caller: FindDetails.
CREATE OR REPLACE FUNCTION public.my_find(listing_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := private.require_caller();
  meant constant text := (
    select held.home_id from public.listings as held
    where held.user_id = me and my_find.listing_id in (held.listing_id, held.home_id) limit 1
  );
begin
  return (
    with home as materialized (
      select * from watch.found_homes(me, '{"state": "any"}', coalesce(meant, ''))
    ), adverts as materialized (
      -- Listings that any feed has met, and those that only a mail or a hand-written row brought to the caller.
      select portal.listing_id, portal.card -> 'url' as url, portal.first_seen_at, portal.last_seen_at, portal.gone_at,
        portal.price_eur
      from home cross join lateral (
        select * from watch.portal_listings as met where met.home_id = home.home_id
        order by met.first_seen_at desc, met.listing_id limit 50
      ) as portal
      union all
      select held.listing_id, coalesce(mailed.card -> 'url', held.details -> 'url'), held.created_at,
        coalesce(mailed.sent_at, held.created_at), null, coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      from home join public.listings as held on held.user_id = me and held.listing_id = any (home.adverts)
      left join watch.mail_listings as mailed on mailed.user_id = me and mailed.listing_id = held.listing_id
      where (select met.listing_id from watch.portal_listings as met where met.listing_id = held.listing_id limit 1) is null
    ), card as materialized (
      select shown.card, home.listing_id, home.place_id from home
      cross join lateral watch.shown_finds(me, array[row(home.*)::watch.found_home]) as shown (card)
    )
    select card.card || jsonb_build_object(
      'prices', (
        select coalesce(jsonb_agg(jsonb_build_object('seenAt', seen_at, 'priceEur', price_eur) order by seen_at), '[]')
        from (
          select priced.seen_at, priced.price_eur from adverts cross join lateral (
            select * from watch.prices where prices.listing_id = adverts.listing_id order by prices.seen_at desc limit 500
          ) as priced
          union all
          select adverts.last_seen_at, adverts.price_eur from adverts
          where adverts.price_eur is not null
            and (select prices.seen_at from watch.prices where prices.listing_id = adverts.listing_id limit 1) is null
          order by seen_at desc limit 500
        ) as priced
      ),
      'adverts', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'listingId', latest.listing_id, 'url', coalesce(
                watch.web_address_in(latest.url), 'https://www.idealista.com/inmueble/' || latest.listing_id || '/'
              ), 'firstSeenAt', latest.first_seen_at, 'lastSeenAt', latest.last_seen_at, 'goneAt', latest.gone_at,
              'priceEur', latest.price_eur
            ) order by latest.first_seen_at, latest.listing_id
          ),
          '[]'
        )
        from (
          select * from adverts where price_eur is not null order by first_seen_at desc, listing_id desc limit 50
        ) as latest
      ),
      'photos', (
        select coalesce(jsonb_agg(photo order by place), '[]')
        from watch.portal_listings as portal cross join lateral jsonb_array_elements(
          case when jsonb_typeof(portal.photos) = 'array' then portal.photos else '[]' end
        ) with ordinality as told (photo, place)
        where portal.listing_id = card.listing_id and watch.web_address_in(told.photo) is not null and told.place <= 60
      ),
      'zonePricesPerM2', coalesce(to_jsonb(figures.prices_per_m2_eur), '[]'),
      'zoneCount', coalesce(figures.seen_count, 0)
    )
    from card
    left join public.market_figures as figures on card.card -> 'comparison' <> 'null'
      and figures.place_id = card.place_id and figures.operation = card.card ->> 'operation' and figures.size_band = 'all'
  );
end;
$function$;
grant execute on function public.my_find(text) to authenticated;

-- Where the homes found for the caller are, newest first: FindPointLists.
CREATE OR REPLACE FUNCTION public.my_find_points(filter jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  asked constant jsonb := watch.require_find_filter(filter) - 'order';
begin
  return (
    with points as materialized (
      select newest.listing_id, newest.price_eur, newest.mark, newest.gone_at is not null as is_gone,
        case when newest.place_id not like 'name:%' then newest.place_id end as place_id,
        -- A metre is exact enough; more digits double the size of the answer.
        case when jsonb_typeof(met.latitude) = 'number' then trim_scale(round(met.latitude::numeric, 5)) end as latitude,
        case when jsonb_typeof(met.longitude) = 'number' then trim_scale(round(met.longitude::numeric, 5)) end as longitude,
        met.is_address_shown is not distinct from 'true'::jsonb as is_address_shown
      from (
        select * from watch.found_homes(me, asked) order by sort_key, home_id collate "C" limit 5000
      ) as newest
      left join lateral (
        select portal.card -> 'latitude' as latitude, portal.card -> 'longitude' as longitude,
          portal.card -> 'isAddressShown' as is_address_shown
        from watch.portal_listings as portal where portal.listing_id = newest.listing_id limit 1
      ) as met on true
      order by newest.sort_key, newest.home_id collate "C"
    )
    -- A list for each field has half the size of a list of objects, and two thirds of it compressed.
    select jsonb_build_object(
      'listingId', array(select listing_id from points), 'latitude', array(select latitude from points),
      'longitude', array(select longitude from points), 'isAddressShown', array(select is_address_shown from points),
      'placeId', array(select place_id from points), 'priceEur', array(select price_eur from points),
      'mark', array(select mark from points), 'isGone', array(select is_gone from points)
    )
  );
end;
$function$;
grant execute on function public.my_find_points(jsonb) to authenticated;

-- A page of the homes found for the caller: FindPage.
CREATE OR REPLACE FUNCTION public.my_finds(filter jsonb DEFAULT '{}'::jsonb, after text DEFAULT NULL::text, page_size integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  asked constant jsonb := watch.require_find_filter(filter);
  sort_order constant text := coalesce(asked ->> 'order', 'newest');
  -- The order, the sort key and the home at the end of the previous page.
  begin_after constant text[] := regexp_match(
    after, '^(newest|price|price-per-m2|cheaper-than-zone) (-?\d{1,17}(?:\.\d{1,17})?(?:e[+-]?\d{1,2})?) (.{1,64})$'
  );
begin
  if page_size is null or page_size not between 1 and 60 then
    raise exception 'A page has 1 to 60 finds' using errcode = '22023';
  end if;
  if after is not null and begin_after[1] is distinct from sort_order then
    raise exception 'The cursor is not one of ours for this order' using errcode = '22023';
  end if;
  return (
    with homes as materialized (
      select * from watch.found_homes(me, asked)
    ), page as materialized (
      select * from homes
      where after is null or (sort_key, home_id collate "C") > (begin_after[2]::double precision, begin_after[3])
      order by sort_key, home_id collate "C" limit page_size + 1
    ), shown as materialized (
      select * from page order by sort_key, home_id collate "C" limit page_size
    )
    select jsonb_build_object(
      'finds', (
        select coalesce(jsonb_agg(card order by place), '[]')
        from watch.shown_finds(
          me, array(select row(shown.*)::watch.found_home from shown order by sort_key, home_id collate "C")
        ) with ordinality as finds (card, place)
      ),
      'next', case when (select count(*) from page) > page_size then (
        select sort_order || ' ' || sort_key || ' ' || home_id from shown order by sort_key desc, home_id collate "C" desc limit 1
      ) end,
      'count', case when after is null then (select count(*) from homes) end,
      -- The names of each zone, from one of its homes.
      'zones', case when after is null then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'placeId', zone.place_id, 'neighborhood', found.card -> 'neighborhood', 'district', found.card -> 'district',
          'municipality', found.card -> 'municipality'
        ) order by zone.place_id), '[]')
        from (
          select distinct on (place_id) place_id, listing_id from homes
          where place_id not like 'name:%' order by place_id, listing_id limit 500
        ) as zone
        join watch.found_cards as found on found.user_id = me and found.listing_id = zone.listing_id
      ) end
    )
  );
end;
$function$;
grant execute on function public.my_finds(jsonb,text,integer) to authenticated;

-- How many homes the rules of a search of the caller left out, or of all searches: LeftOutCounts.
CREATE OR REPLACE FUNCTION public.my_left_out_counts(search_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return watch.left_out_counts(private.require_caller(), my_left_out_counts.search_id, now());
end;
$function$;
grant execute on function public.my_left_out_counts(uuid) to authenticated;

-- What a search of the caller found or left out in the last 30 days, for trying out rules: PastHome[].
CREATE OR REPLACE FUNCTION public.my_past_homes(search_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return watch.homes_of_search(private.require_caller(), my_past_homes.search_id, now());
end;
$function$;
grant execute on function public.my_past_homes(uuid) to authenticated;

-- The caller's latest security events, newest first, 50 at most.
CREATE OR REPLACE FUNCTION public.my_security_events()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(shown) - 'place' order by shown.happened_at desc, shown.id desc), '[]')
  from (
    select placed.* from (
      select id, kind, browser, platform, times, began_at, happened_at,
        row_number() over (partition by kind order by happened_at desc, id desc) as place
      from private.security_events where user_id = (select auth.uid())
    ) as placed
    where placed.kind <> 'wrong_password' or placed.place <= 10
    order by placed.happened_at desc, placed.id desc limit 50
  ) as shown;
$function$;
grant execute on function public.my_security_events() to authenticated;

-- The caller's sessions, each with its browser, its start and its last use.
CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(found) order by found.is_current desc, found.last_used_at desc, found.id), '[]')
  from (
    select sessions.id, sessions.user_agent, sessions.created_at,
      greatest(sessions.created_at, sessions.refreshed_at at time zone 'utc') as last_used_at,
      sessions.id = (select (auth.jwt() ->> 'session_id')::uuid) as is_current
    from auth.sessions
    where sessions.user_id = (select auth.uid())
      and exists (
        select from auth.sessions as own
        where own.id = (select (auth.jwt() ->> 'session_id')::uuid) and own.user_id = (select auth.uid())
      )
    order by is_current desc, last_used_at desc
    limit 100
  ) as found;
$function$;
grant execute on function public.my_sessions() to authenticated;

-- The status of each of the caller's searches, the first one first.
CREATE OR REPLACE FUNCTION public.my_watches()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(watch.state_of_search(id) order by is_first desc, created_at, id), '[]')
  from public.searches where user_id = (select auth.uid());
$function$;
grant execute on function public.my_watches() to authenticated;

-- The caller's own note on a home that was found for them; null or blank removes it. Refused if the note is no longer the one of `replaces`.
CREATE OR REPLACE FUNCTION public.note_find(listing_id text, note text DEFAULT NULL::text, replaces jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  said constant text := nullif(btrim(note_find.note, E' \t\r\n'), '');
  next constant text := case when said ~ '\S' then said end;
begin
  perform private.require_own_find(me, note_find.listing_id);
  if char_length(said) > 2000 then
    raise exception 'A note has at most 2,000 characters' using errcode = '22023', detail = 'note-too-long';
  end if;
  perform private.require_mark_unchanged(me, note_find.listing_id, 'note', next, note_find.replaces);
  perform watch.note_home(me, note_find.listing_id, next, now());
end;
$function$;
grant execute on function public.note_find(text,text,jsonb) to authenticated;

-- What a URL would find, or what is known of its listing; null while it is being computed, so call it again.
CREATE OR REPLACE FUNCTION public.preview_search(filter_url text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  held watch.search_previews;
begin
  perform pg_advisory_xact_lock(hashtextextended('search-preview ' || me, 0));
  select * into held from watch.search_previews where user_id = me;
  if held.filter_url = preview_search.filter_url and held.asked_at > now() - interval '10 minutes' then
    return held.answer;
  end if;
  if held.asks >= 60 and held.counted_since > now() - interval '1 hour' then
    raise exception 'At most sixty previews an hour' using errcode = 'PT429', detail = 'too-many-previews';
  end if;
  insert into watch.search_previews as previews (user_id, filter_url) values (me, preview_search.filter_url)
  on conflict (user_id) do update set
    filter_url = excluded.filter_url, asked_at = now(), answer = null,
    asks = case when previews.counted_since > now() - interval '1 hour' then previews.asks + 1 else 1 end,
    counted_since = case when previews.counted_since > now() - interval '1 hour' then previews.counted_since else now() end;
  perform pg_notify('previews', me::text);
  return null;
end;
$function$;
grant execute on function public.preview_search(text) to authenticated;

-- "That wasn't me": deletes the account that was signed up with the address, or forgets the address that one wanted to add.
CREATE OR REPLACE FUNCTION public.refuse_address(token_hash text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link record;
begin
  select * into link from private.find_address_link(refuse_address.token_hash);
  if link.person is null then
    return null;
  end if;
  perform private.lock_person(link.person);
  -- The other answer may have been given meanwhile.
  select * into link from private.find_address_link(refuse_address.token_hash);
  if link.person is null then
    return null;
  end if;
  if link.kind = 'signup' then
    perform private.delete_account(link.person);
    return 'deleted';
  end if;
  perform private.end_mailed_links(link.person, '{email_change}');
  return 'refused';
end;
$function$;
grant execute on function public.refuse_address(text) to anon;
grant execute on function public.refuse_address(text) to authenticated;

-- Gives the caller a new address for alert mails, ten a day.
CREATE OR REPLACE FUNCTION public.renew_mail_address()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function public.renew_mail_address() to authenticated;

-- Saves the first search of the caller, with the chats that have connected and that the page has not seen. Returns null if there is one.
CREATE OR REPLACE FUNCTION public.save_first(filter_url text, receiver_ids text[], seen_chats text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
  saved public.searches;
begin
  perform private.lock_person(me);
  if exists (select from public.searches where first_of = me) then
    return null;
  end if;
  insert into public.searches (user_id, filter_url, receiver_ids)
  values (me, save_first.filter_url, save_first.receiver_ids || array(
    select chat_id::text from public.chats
    where user_id = me and state = 'connected'
      and chat_id::text <> all (save_first.receiver_ids || save_first.seen_chats)
    order by created_at
  ))
  returning * into saved;
  return to_jsonb(saved);
end;
$function$;
grant execute on function public.save_first(text,text[],text[]) to authenticated;

-- Sends a test message to a connected chat of the caller, three an hour.
CREATE OR REPLACE FUNCTION public.send_test_message(chat_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  if not exists (
    select from public.chats
    where chats.user_id = me and chats.chat_id = send_test_message.chat_id and chats.state = 'connected'
  ) then
    raise exception 'That chat is not connected' using errcode = 'PT409', detail = 'not-connected';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('test-message ' || me, 0));
  if (
    select count(*) from watch.alerts
    where user_id = me and kind = 'test' and created_at > now() - interval '1 hour'
  ) >= 3 then
    raise exception 'Three test messages an hour are enough' using errcode = 'PT429', detail = 'too-many-tests';
  end if;
  insert into watch.alerts (user_id, chat_id, kind, event_key, payload)
  values (me, send_test_message.chat_id, 'test', gen_random_uuid()::text, '{}');
end;
$function$;
grant execute on function public.send_test_message(bigint) to authenticated;

-- Removes the Telegram user who can sign in to the caller's account, and their chat; requires the current password, or a recent sign-in.
CREATE OR REPLACE FUNCTION public.unlink_telegram(current_password text DEFAULT NULL::text, keep_chat boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me, 'unlink_telegram');
  if not exists (select from auth.users where id = me and coalesce(encrypted_password, '') <> '')
    and not exists (select from auth.identities where user_id = me and provider = 'google') then
    raise exception 'Telegram is the only way in to this account' using errcode = 'PT409', detail = 'only-sign-in';
  end if;
  if not exists (select from auth.identities where user_id = me and provider = 'custom:telegram') then
    return;
  end if;
  if keep_chat then
    perform private.remove_telegram_sign_in(me);
  else
    perform private.end_grants(me, 'telegram-disconnected', session);
  end if;
  perform private.follow_identities(me);
  insert into private.account_mails (kind, user_id) values ('telegram-unlinked', me);
  perform private.note_security_event(me, 'telegram_unlinked', null, null, 1, now());
end;
$function$;
grant execute on function public.unlink_telegram(text,boolean) to authenticated;

-- Keeps a listing by its link, so that the caller is notified of its price cuts and its removal.
CREATE OR REPLACE FUNCTION public.watch_listing(listing_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  outcome constant text := watch.watch_listing(private.require_caller(), watch_listing.listing_id, null, now());
begin
  if outcome = 'not-seen' then
    raise exception 'No source sees that listing' using errcode = 'PT404', detail = 'listing-not-seen';
  elsif outcome = 'too-many' then
    raise exception 'A hundred listings are enough' using errcode = 'PT409', detail = 'too-many-listings';
  end if;
end;
$function$;
grant execute on function public.watch_listing(text) to authenticated;

CREATE OR REPLACE FUNCTION watch.add_search(person uuid, chat bigint, url text, OUT outcome text, OUT search_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  first_one public.searches;
  chats text[];
begin
  perform private.lock_person_and_chat(person, chat);
  if not exists (select from watch.confirmed_chats where user_id = person and chat_id = chat) then
    outcome := 'not-connected';
    return;
  end if;
  select id into search_id from public.searches
  where user_id = person and filter_url = url order by is_first desc, created_at limit 1;
  if found then
    outcome := 'same';
    return;
  end if;
  if (select count(*) from public.searches where user_id = person) >= 10 then
    outcome := 'too-many-searches';
    return;
  end if;
  select * into first_one from public.searches where first_of = person;
  -- Before the first search, a chat that connected itself is not in any list.
  chats := coalesce(first_one.receiver_ids, array(
    select chat_id::text from public.chats where user_id = person and state = 'connected' order by created_at
  ));
  if not (chat::text = any (chats)) then
    chats := chats || chat::text;
  end if;
  outcome := 'added';
  insert into public.searches (user_id, filter_url, receiver_ids, quiet_from, quiet_until)
  values (person, url, chats, first_one.quiet_from, first_one.quiet_until) returning id into search_id;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.alert_counts(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'found', count(*),
    'sent', count(*) filter (where is_sent),
    'waiting', count(*) filter (where is_waiting and not is_sent),
    'undelivered', count(*) filter (where not is_waiting and not is_sent)
  )
  from (
    select bool_or(state in ('sent', 'merged')) as is_sent, bool_or(state in ('pending', 'sending')) as is_waiting
    from watch.alerts join watch.alert_kinds using (kind)
    where user_id = person and created_at > now() - interval '1 day' and is_about_listing and search = any (search_ids)
    group by home_id
  ) as homes;
$function$;

CREATE OR REPLACE FUNCTION watch.amount_in(value jsonb)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case jsonb_typeof(value)
    when 'number' then case when value::numeric > 0 and value::numeric < 1e10 then value::double precision end
    when 'string' then nullif(regexp_replace(
      coalesce(substring(left(value #>> '{}', 40) from '^[ \u00a0\u202f]*€?[ \u00a0\u202f]*'
        '([0-9]{1,3}(?:[., \u00a0\u202f][0-9]{3}){1,2}|[0-9]{1,9})[ \u00a0\u202f]*(?:€|m²)?[ \u00a0\u202f]*$'), '0'),
      '[^0-9]', '', 'g'
    )::double precision, 0)
  end
$function$;

CREATE OR REPLACE FUNCTION watch.announce_kept(person uuid, meant_id text, home text, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  shown record;
  chat record;
  keepers uuid[];
  is_new boolean;
  is_by_two boolean;
begin
  select alerts.listing_id, alerts.payload -> 'listing' as listing, alerts.search_ids into shown from watch.alerts
  where alerts.user_id = person and alerts.home_id = home
    and jsonb_typeof(alerts.payload -> 'listing') = 'object'
  order by alerts.listing_id = meant_id desc, alerts.position desc limit 1;
  if not found then
    return;
  end if;
  for chat in
    select own.chat_id, own.receives from public.chats as own
    join watch.confirmed_chats using (user_id, chat_id)
    where own.user_id = person and own.receives <> 'everything'
    order by own.chat_id
  loop
    select array_agg(kept.user_id order by kept.first_at, kept.user_id) into keepers
    from (
      select marks.user_id, marks.updated_at as first_at
      from public.marks join watch.confirmed_chats as theirs on theirs.user_id = marks.user_id
        and theirs.chat_id = chat.chat_id
      where marks.mark = 'kept' and marks.home_id = home
    ) as kept;
    is_by_two := cardinality(keepers) >= 2;
    continue when chat.receives = 'kept-by-two' and not is_by_two;
    insert into watch.shortlists (chat_id, home_id, kept_at) values (chat.chat_id, home, at) on conflict do nothing;
    is_new := found;
    if is_by_two then
      update watch.shortlists set by_two_at = at
      where chat_id = chat.chat_id and home_id = home and by_two_at is null;
      is_by_two := found;
    end if;
    continue when not is_new and not is_by_two;
    insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, search_ids)
    values (
      person, chat.chat_id, 'kept', shown.listing_id, case when is_by_two then 'by-two' else '' end,
      jsonb_build_object('listing', shown.listing, 'keeperIds', to_jsonb(keepers), 'isByTwo', is_by_two),
      shown.search_ids
    )
    on conflict do nothing;
  end loop;
end;
$function$;

-- Records a chat's answer about a person whose alerts it receives or is asked about: yes, no, me or not-me.
CREATE OR REPLACE FUNCTION watch.answer_question(person uuid, chat bigint, said text, chat_kind text, chat_title text, OUT outcome text, OUT account text)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  asked record;
begin
  perform private.lock_person_and_chat(person, chat);
  select chats.state, chats.confirmed_at into asked
  from public.chats left join watch.chat_questions as question using (user_id, chat_id)
  where user_id = person and chat_id = chat and (question.user_id is not null or chats.state <> 'waiting')
    and chats.reason is distinct from 'ended'
  for update of chats;
  -- An old "no" does not revoke a later consent; "not me" and /stop do.
  if not found or (said = 'no' and asked.state not in ('waiting', 'declined') and asked.confirmed_at is not null) then
    outcome := 'not-asked';
    return;
  end if;
  account := private.masked_account(person);
  if said in ('yes', 'me') then
    outcome := coalesce(private.limit_of_chats(person, chat), 'connected');
    if outcome = 'connected' then
      perform private.connect_chat(person, chat, chat_kind, chat_title, true, null);
      update watch.chat_questions set is_own = true where said = 'me' and user_id = person and chat_id = chat;
      account := private.account_in_chat(person, chat);
    end if;
    return;
  end if;
  outcome := 'declined';
  if said = 'no' and asked.state = 'declined' then
    return;
  end if;
  -- The id stays in the person's list, where the page shows the reason; the chat's name is removed.
  perform private.note_answer(person, chat, 'no');
  update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
  where user_id = person and chat_id = chat;
  update watch.alerts set state = 'undeliverable', last_error = 'declined'
  where user_id = person and chat_id = chat and state = 'pending';
end;
$function$;

CREATE OR REPLACE FUNCTION watch.bring_back(person uuid, meant_id text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  returned uuid[];
begin
  perform private.lock_person(person);
  with ended as (
    update public.left_outs set returned_at = at
    where user_id = person and listing_id = meant_id and returned_at is null
    returning search_id, payload
  ), alerted as (
    insert into watch.alerts as held (
      user_id, chat_id, kind, listing_id, payload, seen_at, not_before, created_at, search_ids
    )
    select person, chats.chat_id, 'new', meant_id, (array_agg(ended.payload))[1], null, at, at,
      array_agg(saved.id order by saved.id)
    from ended join public.searches as saved on saved.id = ended.search_id
    cross join unnest(saved.receiver_ids) as named (chat_id)
    join public.chats on chats.user_id = person and chats.chat_id = named.chat_id::bigint 
      and watch.takes_alerts(chats.state, chats.reason)
    group by chats.chat_id order by chats.chat_id
    on conflict on constraint alert_exists_once do nothing
  ), noted as (
    insert into watch.told as held (user_id, listing_id, search_ids, price_eur, told_at)
    select person, meant_id, array_agg(distinct ended.search_id),
      min((ended.payload -> 'listing' ->> 'priceEur')::double precision), at
    from ended having count(*) > 0
    on conflict (user_id, listing_id) do update set
      search_ids = watch.joined_ids(held.search_ids, excluded.search_ids), told_at = excluded.told_at
  )
  select array_agg(search_id) into returned from ended;
  if returned is null then
    return false;
  end if;
  update public.listings set search_ids = watch.joined_ids(search_ids, returned)
  where user_id = person and listing_id = meant_id;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.can_see(person uuid, meant_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from watch.feed_listings join watch.feeds on feeds.key = feed_listings.feed_key
    where feed_listings.listing_id = meant_id and feed_listings.gone_at is null and feeds.idle_since is null
  ) or exists (
    select from watch.mail_listings as mailed
    where mailed.user_id = person and mailed.listing_id = meant_id and watch.is_served_by_mail(person)
  );
$function$;

CREATE OR REPLACE FUNCTION watch.card_of_details(listing_id text, details jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'url', coalesce(
      watch.web_address_in(details -> 'url'), watch.web_address_in(details -> 'link'), watch.web_address_in(details -> 'href'),
      case when listing_id ~ '^\d+$' then 'https://www.idealista.com/inmueble/' || listing_id || '/' end, ''
    ),
    'title', watch.text_in(details -> 'title', 300),
    'priceEur', watch.amount_in(details -> 'price'),
    'areaM2', watch.amount_in(details -> 'size'),
    'rooms', coalesce(watch.count_in(details -> 'rooms'), watch.count_in(details -> 'bedrooms')),
    'address', watch.text_in(details -> 'address', 300),
    'municipality', watch.text_in(details -> 'location', 300)
  );
$function$;

CREATE OR REPLACE FUNCTION watch.chat_counts(person uuid, receiver_ids text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'named', cardinality(receiver_ids),
    'connected', count(*) filter (where chats.state = 'connected'),
    'waiting', count(*) filter (where chats.state = 'waiting' and chats.reason is null),
    'lost', count(*) filter (where chats.state in ('declined', 'blocked', 'unreachable')),
    'only_chat', case when cardinality(receiver_ids) = 1 then
      jsonb_agg(jsonb_build_object('state', chats.state, 'reason', chats.reason)) -> 0
    end
  )
  from public.chats
  where chats.user_id = person and chats.chat_id::text = any (receiver_ids);
$function$;

-- The price of a home compared with its zone: PriceComparison in src/core/alert/alert.ts. Null if there are no figures.
CREATE OR REPLACE FUNCTION watch.comparison_of(card jsonb, place_id text, per_m2 double precision)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'percent', watch.percent_above(comparison_of.per_m2, figures.median_per_m2_eur),
    'samples', figures.seen_count, 'place', figures.place_name
  )
  from public.market_figures as figures
  where figures.place_id = comparison_of.place_id and figures.operation = card ->> 'operation' and figures.size_band = 'all'
    and card ->> 'kind' = 'homes' and comparison_of.per_m2 is not null;
$function$;

-- Connects the chat that pressed Start with this token to the person who made it, or says why not.
CREATE OR REPLACE FUNCTION watch.connect_by_link(hash bytea, chat bigint, chat_kind text, chat_title text, OUT outcome text, OUT person uuid, OUT account text, OUT is_confirmed boolean, OUT has_filter boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  link watch.link_tokens;
  was_connected boolean;
  is_own boolean;
begin
  person := (select user_id from watch.link_tokens where token_hash = hash);
  if person is not null then
    perform private.lock_person_and_chat(person, chat);
  end if;
  select * into link from watch.link_tokens where token_hash = hash for update;
  if not found or private.is_suspended(link.user_id) then
    outcome := 'unknown';
    person := null;
    return;
  end if;
  if link.used_at is null and link.expires_at <= now() then
    outcome := 'expired';
    return;
  end if;
  was_connected := exists (
    select from public.chats where user_id = person and chat_id = chat and state = 'connected'
  );
  if link.used_at is not null then
    -- Only the chat connected by this link may learn that.
    outcome := case when was_connected and link.chat_id = chat then 'already-connected' else 'used' end;
  else
    outcome := coalesce(
      private.limit_of_chats(person, chat), case when was_connected then 'already-connected' else 'connected' end
    );
    if outcome in ('connected', 'already-connected') then
      is_own := chat_kind = 'private' and exists (
        select from watch.telegram_identities as known where known.user_id = person and known.telegram_id = chat
      );
      update watch.link_tokens set used_at = now(), chat_id = chat where token_hash = hash;
      -- Adding the bot to a group is consent; a private chat of anybody else has only followed a link.
      perform private.connect_chat(
        person, chat, chat_kind, chat_title, is_own or chat_kind <> 'private', link.search_id
      );
      if is_own then
        update watch.chat_questions set is_own = true where user_id = person and chat_id = chat;
      end if;
    end if;
  end if;
  account := private.account_in_chat(person, chat);
  has_filter := exists (select from public.searches where user_id = person);
  is_confirmed := exists (
    select from public.chats where user_id = person and chat_id = chat and confirmed_at is not null
  );
end;
$function$;

CREATE OR REPLACE FUNCTION watch.connect_group(presser bigint, chat bigint, chat_kind text, chat_title text, OUT outcome text, OUT account text)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  known constant uuid[] := array(select user_id from watch.confirmed_chats where chat_id = presser);
  me constant uuid := coalesce(
    (select own.person from watch.own_account(presser) as own), case when cardinality(known) = 1 then known[1] end
  );
begin
  if me is null then
    outcome := case when cardinality(known) = 0 then 'nobody' else 'several' end;
    return;
  end if;
  perform private.lock_person_and_chat(me, chat);
  if not exists (select from watch.confirmed_chats where user_id = me and chat_id = presser) then
    outcome := 'nobody';
    return;
  end if;
  outcome := coalesce(private.limit_of_chats(me, chat), 'connected');
  if outcome = 'connected' then
    perform private.connect_chat(me, chat, chat_kind, chat_title, true, null);
  end if;
  account := private.account_in_chat(me, chat);
end;
$function$;

-- Connects a private chat to the account of its owner, if there is one that the chat has not met. Returns whether it did.
CREATE OR REPLACE FUNCTION watch.connect_own_account(telegram_id bigint, chat_title text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (
    select known.user_id from watch.telegram_identities as known
    join auth.users on users.id = known.user_id and (users.banned_until is null or users.banned_until <= now())
    where known.telegram_id = connect_own_account.telegram_id
  );
begin
  if me is null then
    return false;
  end if;
  perform private.lock_person(me);
  if exists (
    select from public.chats where user_id = me and chat_id = connect_own_account.telegram_id
  ) then
    return false;
  end if;
  return private.connect_own_chat(me, connect_own_account.telegram_id, chat_title) = 'connected';
end;
$function$;

CREATE OR REPLACE FUNCTION watch.count_in(value jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when jsonb_typeof(value) = 'number' and value::numeric between 0 and 999 and value::numeric % 1 = 0 then value::integer
    when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^\s*\d{1,3}\s*$' then (value #>> '{}')::integer
  end
$function$;

-- Deletes the chat's own account. Returns whether there was one.
CREATE OR REPLACE FUNCTION watch.delete_own_account(chat bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid;
begin
  perform private.lock_person(person) from watch.own_account(chat) where person is not null;
  me := (select person from watch.own_account(chat) where not has_password);
  if me is null then
    return false;
  end if;
  perform private.delete_account(me);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.edit_messages(chat bigint, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update watch.alerts set edit_due_at = at where edit_due_at = 'infinity' and chat_id = chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$function$;

-- What the website exports, for the chat's own account.
CREATE OR REPLACE FUNCTION watch.export_own_account(chat bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  former constant text := current_setting('request.jwt.claims', true);
  me constant uuid := (select person from watch.own_account(chat));
  exported jsonb;
begin
  if me is null then
    return null;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', me)::text, true);
  exported := public.export_my_data();
  perform set_config('request.jwt.claims', coalesce(former, ''), true);
  return exported;
end;
$function$;

-- Deletes chats that no search names.
CREATE OR REPLACE FUNCTION watch.forget_unused_chats(before timestamp with time zone, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  idle bigint[];
  gone integer;
begin
  idle := array(
    select chat_id from watch.chats
    where created_at < before and (asked_id_at is null or asked_id_at < before)
      and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id)
    order by chat_id limit batch for update skip locked
  );
  delete from watch.chats
  where chat_id = any (idle) and not exists (select from public.chats as held where held.chat_id = watch.chats.chat_id);
  get diagnostics gone = row_count;
  return gone;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.found_homes(person uuid, filter jsonb, only_home text DEFAULT NULL::text)
 RETURNS SETOF watch.found_home
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with adverts as (
    select held.listing_id, held.created_at, held.home_id,
      coalesce(met.place_id, mailed.place_id) as place_id,
      case
        when mailed.sent_at > met.last_seen_at then mailed.price_eur
        when met.home_id is not null then met.price_eur
        else coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      end as price_eur,
      coalesce(met.former_price_eur, mailed.former_price_eur) as former_price_eur, met.back_at,
      case when met.gone_at >= coalesce(mailed.sent_at, met.gone_at) then met.gone_at end as gone_at,
      case filter ->> 'order'
        when 'price-per-m2' then coalesce(
          met.price_per_m2_eur,
          watch.per_m2(
            coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price')),
            coalesce(watch.amount_in(mailed.card -> 'areaM2'), watch.amount_in(held.details -> 'size'))
          )
        )
        -- All zones at once: a subquery per listing would scan them each time.
        when 'cheaper-than-zone' then case when met.card ->> 'kind' = 'homes' then met.price_per_m2_eur / (
          (
            select jsonb_object_agg(figures.place_id || ' ' || figures.operation, figures.median_per_m2_eur)
            from public.market_figures as figures where figures.size_band = 'all'
          ) ->> (met.place_id || ' ' || (met.card ->> 'operation'))
        )::double precision end
      end as sort_key,
      -- Left out by the search that is asked about, or by any; and found by none.
      coalesce(out_of.is_of_search, false) as is_left_out, out_of.listing_id is not null and held.search_ids = '{}' as is_out,
      case
        when not filter ? 'searchId' then true
        when filter ->> 'state' = 'left-out' then coalesce(out_of.is_of_search, false)
        else (filter ->> 'searchId')::uuid = any (held.search_ids)
      end as is_of_search
    from public.listings as held
    left join lateral (
      select * from watch.portal_listings as portal where portal.listing_id = held.listing_id limit 1
    ) as met on true
    left join watch.mail_listings as mailed on mailed.user_id = person and mailed.listing_id = held.listing_id
    left join (
      select listing_id, bool_or(not filter ? 'searchId' or search_id = (filter ->> 'searchId')::uuid) as is_of_search
      from public.left_outs where user_id = person and returned_at is null group by listing_id
    ) as out_of on out_of.listing_id = held.listing_id
    where held.user_id = person and (only_home is null or held.home_id = only_home)
  ), homes as (
    select adverts.*,
      row_number() over newest as place,
      array_agg(adverts.listing_id) over home as all_adverts,
      min(adverts.created_at) over home as first_found_at,
      case when bool_and(adverts.gone_at is not null) over home then max(adverts.gone_at) over home end as home_gone_at,
      bool_or(adverts.is_of_search) over home as is_asked,
      bool_or(adverts.is_left_out) over home as home_is_left_out,
      bool_and(adverts.is_out) over home as home_is_out,
      count(*) over home > 1 or adverts.back_at is not null as is_back
    from adverts
    window newest as (partition by adverts.home_id order by adverts.created_at desc, adverts.listing_id desc),
      home as (
        partition by adverts.home_id order by adverts.created_at desc, adverts.listing_id desc
        rows between unbounded preceding and unbounded following
      )
  )
  select home_id, homes.listing_id, all_adverts, first_found_at, marks.mark, marks.note, home_gone_at, price_eur,
    case when former_price_eur > price_eur then former_price_eur end, place_id,
    -- All ascending; homes without a value come last.
    coalesce(
      case coalesce(filter ->> 'order', 'newest')
        when 'newest' then -extract(epoch from homes.created_at) * 1000000
        when 'price' then price_eur
        else sort_key
      end,
      9e15
    )
  from homes left join (select * from public.marks where marks.user_id = person) as marks using (home_id)
  where place = 1 and is_asked
    and case filter ->> 'state'
      when 'any' then true
      when 'left-out' then marks.mark is null and home_is_left_out
      when 'hidden' then marks.mark = 'hidden'
      when 'kept' then marks.mark = 'kept'
      else marks.mark is distinct from 'hidden' and (not home_is_out or marks.mark = 'kept') and case filter ->> 'state'
        when 'cheaper' then former_price_eur > price_eur
        when 'gone' then home_gone_at is not null
        when 'back' then is_back
        when 'new' then marks.mark is null and home_gone_at is null and not is_back
          and coalesce(former_price_eur <= price_eur, true)
        else true
      end
    end
    and (filter ->> 'zone' is null or place_id = filter ->> 'zone' or starts_with(place_id, filter ->> 'zone' || '-'))
    and (filter ->> 'minPriceEur' is null or price_eur >= (filter ->> 'minPriceEur')::double precision)
    and (filter ->> 'maxPriceEur' is null or price_eur <= (filter ->> 'maxPriceEur')::double precision);
$function$;

-- How soon alerts were sent after a source saw their cause; null under five alerts.
CREATE OR REPLACE FUNCTION watch.freshness_of(person uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'alerts', count(*),
    'median_seconds', percentile_cont(0.5) within group (order by extract(epoch from sent_at - seen_at)),
    'p95_seconds', percentile_cont(0.95) within group (order by extract(epoch from sent_at - seen_at))
  )
  from watch.alerts
  where user_id = person and created_at > now() - interval '30 days'
    and seen_at is not null and sent_at is not null and held_at is null and state in ('sent', 'merged')
  having count(*) >= 5;
$function$;

CREATE OR REPLACE FUNCTION watch.home_meant(person uuid, meant_id text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    (select held.home_id from public.listings as held where held.user_id = person and held.listing_id = meant_id),
    (select portal.home_id from watch.portal_listings as portal where portal.listing_id = meant_id),
    meant_id
  );
$function$;

CREATE OR REPLACE FUNCTION watch.homes_of_search(person uuid, search uuid, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'card', found.card - array['url', 'pictureUrl'] || jsonb_build_object(
      'comparison', watch.comparison_of(found.card, found.place_id, watch.amount_in(found.card -> 'pricePerM2Eur'))
    ),
    'words', found.words,
    'travelTimes', watch.travel_times_of(person, found.card)
  )), '[]')
  from (
    select listing_id from (
      select distinct on (held.home_id) held.listing_id, held.created_at
      from public.listings as held
      where held.user_id = person and held.created_at > at - interval '30 days' and (
        search = any (held.search_ids) or exists (
          select from public.left_outs
          where left_outs.user_id = person and left_outs.listing_id = held.listing_id and left_outs.search_id = search
        )
      )
      order by held.home_id, held.created_at desc, held.listing_id desc
    ) as homes
    order by created_at desc limit 500
  ) as newest
  join watch.found_cards as found on found.user_id = person and found.listing_id = newest.listing_id;
$function$;

-- Whether a person has recently received a portal's alert mails.
CREATE OR REPLACE FUNCTION watch.is_served_by_mail(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from public.received_mails
    where user_id = person and outcome in ('alert', 'digest') and received_at > now() - interval '30 days'
  );
$function$;

CREATE OR REPLACE FUNCTION watch.joined_ids(held uuid[], added uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select ids[greatest(1, cardinality(ids) - 49):]
  from (values (held || array(select id from unnest(added) as id where not (id = any (held))))) as both_of (ids);
$function$;

CREATE OR REPLACE FUNCTION watch.language_of_askers(chat bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select profiles.language from public.chats join public.profiles on profiles.id = chats.user_id
  where chats.chat_id = chat and chats.state in ('waiting', 'connected') and profiles.language is not null
  order by (chats.state = 'waiting') desc, chats.created_at, chats.user_id limit 1;
$function$;

CREATE OR REPLACE FUNCTION watch.last_find_of(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'listing_id', newest.listing_id, 'home', found.card,
    'price_eur', watch.amount_in(newest.details -> 'price'), 'at', newest.created_at
  )
  from (
    select * from public.listings as held
    where held.user_id = person and search = any (held.search_ids)
    order by held.created_at desc limit 1
  ) as newest
  join watch.found_cards as found on found.user_id = person and found.listing_id = newest.listing_id;
$function$;

-- The last successful check of a late feed, or when it was taken into use; null if it is not late.
CREATE OR REPLACE FUNCTION watch.late_since(feed watch.feeds, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(feed.last_ok_at, feed.live_since)
  where feed.idle_since is null and feed.failing_since is null
    and case when feed.last_ok_at is null then feed.live_since < at - interval '15 minutes'
      else feed.last_ok_at < at - greatest(interval '15 minutes', 3 * feed.interval_seconds * interval '1 second')
    end
    and not exists (select from watch.pause)
    -- A feed that waited for the next month, or whose interval became shorter, has its next check planned.
    and (
      feed.next_check_at < at - interval '5 minutes'
      or exists (select from watch.quarantine as held where held.kind = 'feed' and held.subject = feed.key)
    );
$function$;

CREATE OR REPLACE FUNCTION watch.latest_alerts_of(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recent as (
    select alerts.* from watch.alerts
    where alerts.user_id = person and alerts.kind in (select kind from watch.alert_kinds where is_about_listing)
      and search = any (alerts.search_ids)
    order by alerts.created_at desc, alerts.position desc limit 200
  ), homes as (
    select distinct on (home_id) * from recent
    order by home_id, created_at desc,
      -- If one event went to several chats: one that arrived.
      (state in ('sent', 'merged')) desc, position desc
  ), latest as (
    select * from homes order by created_at desc, position desc limit 5
  )
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'chat_id', chat_id, 'state', state, 'created_at', created_at, 'sent_at', sent_at,
      'listing_id', listing_id, 'former_listing_id', payload ->> 'formerListingId', 'home', payload -> 'listing',
      'price_eur', payload -> 'listing' -> 'priceEur',
      'url', payload -> 'listing' ->> 'url'
    ) order by created_at desc, position desc), '[]'
  )
  from latest;
$function$;

CREATE OR REPLACE FUNCTION watch.left_out_counts(person uuid, search uuid, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'today', count(*) filter (where last_day >= today),
    'week', count(*) filter (where last_day > today - 7),
    'month', count(*) filter (where last_day > today - 30)
  )
  from (
    select max((left_outs.left_out_at at time zone 'Europe/Madrid')::date) as last_day
    from public.left_outs join public.listings using (user_id, listing_id)
    where left_outs.user_id = person and (search is null or left_outs.search_id = search)
      and left_outs.left_out_at > at - interval '31 days'
    group by listings.home_id
  ) as homes
  cross join (select (at at time zone 'Europe/Madrid')::date as today) as spain;
$function$;

CREATE OR REPLACE FUNCTION watch.mark_home(person uuid, meant_id text, new_mark text, at timestamp with time zone, said_in bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  -- Two people who keep a home at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || home, 0));
  if new_mark is null then
    update public.marks set mark = null, chat_id = null, updated_at = at
    where user_id = person and home_id = home and note is not null and mark is not null;
    delete from public.marks where user_id = person and home_id = home and note is null;
  else
    insert into public.marks (user_id, listing_id, home_id, mark, created_at, updated_at)
    values (person, meant_id, home, new_mark, at, at)
    on conflict (user_id, home_id) do update set
      listing_id = excluded.listing_id, mark = excluded.mark, updated_at = excluded.updated_at;
  end if;

  -- A chat's mark is shown until another mark is set anywhere.
  update watch.alerts set chat_mark = case when chat_id = said_in then new_mark end
  where chat_id in (select chats.chat_id from public.chats where chats.user_id = person)
    and home_id = home and user_id = person
    and chat_mark is distinct from case when chat_id = said_in then new_mark end
    and (chat_id = said_in or chat_mark is distinct from new_mark);
  update watch.alerts set edit_due_at = 'infinity', edit_until = null, edit_attempts = 0
  where chat_id = said_in and home_id = home and user_id = person and state in ('sent', 'merged')
    and message_id is not null;
  perform watch.schedule_edits(person, home, at, said_in);
  if new_mark = 'kept' then
    perform watch.announce_kept(person, meant_id, home, at);
  end if;
end;
$function$;

-- Rewrites a chat's id everywhere, for a group that became a supergroup.
CREATE OR REPLACE FUNCTION watch.move_chat(from_chat bigint, to_chat bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if from_chat = to_chat then
    return;
  end if;

  -- Locks in the same order as saving a search.
  perform from public.searches
  where receiver_ids && array[from_chat::text, to_chat::text] order by user_id, created_at, id for update;
  perform from watch.chats where chat_id = from_chat and from_chat < to_chat for update;
  insert into watch.chats as known (chat_id, kind, standing)
  select to_chat, 'supergroup', 'ok' where exists (select from watch.chats where chat_id = from_chat)
  on conflict (chat_id) do update set kind = 'supergroup', standing = 'ok';
  perform from watch.chats where chat_id = from_chat for update;

  if found then
    update watch.chats as known set
      title = coalesce(known.title, former.title),
      language = coalesce(known.language, former.language),
      telegram_language = coalesce(known.telegram_language, former.telegram_language),
      asked_id_at = greatest(known.asked_id_at, former.asked_id_at),
      muted_until = greatest(known.muted_until, former.muted_until)
    from watch.chats as former
    where known.chat_id = to_chat and former.chat_id = from_chat;

    delete from watch.moved_chats where from_chat_id = to_chat;
    update watch.moved_chats set to_chat_id = to_chat where to_chat_id = from_chat;
    insert into watch.moved_chats as known (from_chat_id, to_chat_id) values (from_chat, to_chat)
    on conflict (from_chat_id) do update set to_chat_id = excluded.to_chat_id, moved_at = now();

    -- Before the lists change below: their trigger asks every chat that has no row.
    update public.chats as kept set
      state = former.state, reason = former.reason, confirmed_at = former.confirmed_at, kind = former.kind,
      title = former.title
    from public.chats as former
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id
      and kept.state = 'waiting';
    delete from public.chats as former using public.chats as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update public.chats set chat_id = to_chat where chat_id = from_chat;
    update public.chats set kind = 'supergroup'
    where chat_id = to_chat and confirmed_at is not null and kind is distinct from 'supergroup';

    insert into watch.search_chats (search_id, chat_id, muted_until)
    select search_id, to_chat, muted_until from watch.search_chats where chat_id = from_chat
    on conflict (search_id, chat_id) do nothing;
    delete from watch.search_chats where chat_id = from_chat;

    -- A concurrent save waits for this transaction and then uses the new id by itself.
    update public.searches set receiver_ids = private.followed_ids(receiver_ids)
    where id in (
      select id from public.searches where from_chat::text = any (receiver_ids)
      order by user_id, created_at, id for update skip locked
    );

    delete from watch.chat_questions as former using watch.chat_questions as kept
    where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id = former.user_id;
    update watch.chat_questions set chat_id = to_chat where chat_id = from_chat;
    update watch.link_tokens set chat_id = to_chat where chat_id = from_chat;
    update public.marks set chat_id = to_chat where chat_id = from_chat;
    delete from watch.chat_paces where chat_id = from_chat;
    delete from watch.chats where chat_id = from_chat;
  end if;

  -- Also alerts that a check wrote during the move.
  delete from watch.alerts as former using watch.alerts as kept
  where former.chat_id = from_chat and kept.chat_id = to_chat and kept.user_id is not distinct from former.user_id
    and kept.listing_id is not distinct from former.listing_id
    and kept.kind = former.kind and kept.event_key = former.event_key;
  update watch.alerts set chat_id = to_chat where chat_id = from_chat;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.muted_until(search uuid, person uuid, receiver_ids text[])
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when bool_and(coalesce(silent.until > now(), false)) then min(silent.until) end
  from public.chats
  left join watch.chats as met on met.chat_id = chats.chat_id
  left join watch.search_chats as here on here.search_id = search and here.chat_id = chats.chat_id
  cross join lateral (select greatest(met.muted_until, here.muted_until) as until) as silent
  where chats.user_id = person and chats.state = 'connected' and chats.chat_id::text = any (receiver_ids);
$function$;

CREATE OR REPLACE FUNCTION watch.name_home()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.home_id := coalesce(
    (select portal.home_id from watch.portal_listings as portal where portal.listing_id = new.listing_id), new.listing_id
  );
  return new;
end;
$function$;

-- When the next month's request count starts.
CREATE OR REPLACE FUNCTION watch.next_month()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
$function$;

CREATE OR REPLACE FUNCTION watch.note_home(person uuid, meant_id text, new_note text, at timestamp with time zone, said_in bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  if new_note is null then
    update public.marks set note = null, updated_at = at
    where user_id = person and home_id = home and note is not null and mark is not null;
    delete from public.marks where user_id = person and home_id = home and mark is null;
  else
    insert into public.marks (user_id, listing_id, home_id, note, created_at, updated_at)
    values (person, meant_id, home, new_note, at, at)
    on conflict (user_id, home_id) do update set note = excluded.note, updated_at = excluded.updated_at;
  end if;
  perform watch.schedule_edits(person, home, at, said_in);
end;
$function$;

-- Records the people whom no chat can reach, and mails each of them once after a day.
CREATE OR REPLACE FUNCTION watch.note_unreachable_people()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into watch.unreachable_people (user_id)
  select distinct saved.user_id from public.searches as saved
  join auth.users as people
    on people.id = saved.user_id and (people.banned_until is null or people.banned_until <= now())
  where not saved.is_paused and not exists (
    select from public.chats where chats.user_id = saved.user_id and chats.state = 'connected'
  )
  on conflict (user_id) do nothing;

  delete from watch.unreachable_people
  where exists (select from public.chats where chats.user_id = unreachable_people.user_id and chats.state = 'connected')
    or mailed_at is null and not exists (
      select from public.searches as saved where saved.user_id = unreachable_people.user_id and not saved.is_paused
    );

  -- One statement, so that two machines or a crash cannot cause two mails or none.
  with due as (
    update watch.unreachable_people set mailed_at = now()
    where mailed_at is null and since <= now() - interval '1 day'
    returning user_id
  )
  insert into private.account_mails (kind, user_id) select 'chats-lost', user_id from due;
end;
$function$;

-- The account that the owner of this private chat signs in to with Telegram, if the chat is connected to it.
CREATE OR REPLACE FUNCTION watch.own_account(chat bigint, OUT person uuid, OUT has_password boolean)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select known.user_id, coalesce(users.encrypted_password, '') <> ''
  from watch.telegram_identities as known
  join watch.confirmed_chats as confirmed on confirmed.user_id = known.user_id and confirmed.chat_id = chat
  -- A suspended account must not be deleted and made again.
  join auth.users on users.id = known.user_id and (users.banned_until is null or users.banned_until <= now())
  where known.telegram_id = chat;
$function$;

CREATE OR REPLACE FUNCTION watch.people_named(alert_kind text, owner uuid, chat bigint, payload jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(to_jsonb(case alert_kind
    when 'kept' then private.names_in_chat(
      owner, chat, array(select id::uuid from jsonb_array_elements_text(payload -> 'keeperIds') as keeper (id))
    )
    when 'question' then array[private.masked_account(owner)]
    when 'connected' then array[private.masked_account(owner)]
  end), '[]');
$function$;

-- The people whose alerts wait for the chat's answer.
CREATE OR REPLACE FUNCTION watch.people_to_ask_about(chat bigint)
 RETURNS TABLE(user_id uuid, account text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select chats.user_id, private.masked_account(chats.user_id)
  from public.chats left join watch.chat_questions as asked using (user_id, chat_id)
  where chat_id = chat and (chats.state = 'waiting' and asked.answer is null or chats.reason = 'stopped')
    and 5 > (select count(*) from public.chats as held where held.chat_id = chat and held.state = 'connected')
  order by chats.created_at, chats.user_id limit 5;
$function$;

CREATE OR REPLACE FUNCTION watch.per_m2(price_eur double precision, area_m2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when price_eur / nullif(area_m2, 0) >= 100 then floor(price_eur / nullif(area_m2, 0) + 0.5)
    else floor(price_eur / nullif(area_m2, 0) * 10 + 0.5) / 10 end
$function$;

CREATE OR REPLACE FUNCTION watch.percent_above(per_m2 double precision, median_per_m2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select floor((per_m2 / median_per_m2 - 1) * 100 + 0.5)
$function$;

CREATE OR REPLACE FUNCTION watch.require_find_filter(filter jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  mistake text;
begin
  if filter is null or jsonb_typeof(filter) <> 'object' then
    raise exception 'The filter is an object' using errcode = '22023';
  end if;
  select key into mistake from jsonb_each(filter) as asked (key, value)
  where not case key
    when 'searchId' then jsonb_typeof(value) = 'string'
      and value #>> '{}' ~ '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'
    when 'state' then value <@ '["new", "kept", "hidden", "cheaper", "gone", "back", "left-out"]' and jsonb_typeof(value) = 'string'
    when 'zone' then jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[A-Za-z0-9:-]{1,120}$'
    when 'order' then value <@ '["newest", "price", "price-per-m2", "cheaper-than-zone"]' and jsonb_typeof(value) = 'string'
    when 'minPriceEur' then jsonb_typeof(value) = 'number' and value::numeric between 0 and 1e10
    when 'maxPriceEur' then jsonb_typeof(value) = 'number' and value::numeric between 0 and 1e10
    else false
  end limit 1;
  if mistake is not null then
    raise exception 'The filter has an unknown key or value: %', left(mistake, 40) using errcode = '22023';
  end if;
  return filter;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.schedule_edits(person uuid, home text, at timestamp with time zone, but_chat bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update watch.alerts set edit_due_at = at, edit_until = null, edit_attempts = 0
  where user_id = person and home_id = home and state in ('sent', 'merged') and message_id is not null
    and created_at > at - interval '9 days' and sent_at > at - interval '7 days' and chat_id is distinct from but_chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.set_receives(chat bigint, new_receives text)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  changed integer;
begin
  update public.chats set receives = new_receives
  where chat_id = chat and (user_id, chat_id) in (select user_id, chat_id from watch.confirmed_chats);
  get diagnostics changed = row_count;
  return changed;
end;
$function$;

-- Records whether a chat can be reached, also for its people.
CREATE OR REPLACE FUNCTION watch.set_standing(chat bigint, new_standing text, why text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update watch.chats set standing = new_standing,
    closed_reason = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat;

  update public.chats set
    state = case when new_standing = 'ok' then 'connected' else new_standing end,
    reason = case when new_standing = 'ok' then null else why end
  where chat_id = chat and new_standing <> 'unknown'
    and state in ('connected', 'blocked', 'unreachable')
    and (state, reason) is distinct from
      (case when new_standing = 'ok' then 'connected' else new_standing end, case when new_standing = 'ok' then null else why end);

  -- Shows waiting people that the question could not be sent.
  update public.chats set reason = case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end
  where chat_id = chat and state = 'waiting' and reason is distinct from 'full'
    and reason is distinct from case new_standing when 'unreachable' then why when 'blocked' then 'blocked' end;
$function$;

CREATE OR REPLACE FUNCTION watch.settle_homes(listing_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moved record;
begin
  for moved in
    select portal.listing_id as from_id, portal.home_id as to_id from watch.portal_listings as portal
    where portal.listing_id = any (listing_ids) and portal.home_id <> portal.listing_id
    order by portal.listing_id
  loop
    update public.listings set home_id = moved.to_id where home_id = moved.from_id;
    update watch.alerts set home_id = moved.to_id where home_id = moved.from_id;
    with former as (
      delete from public.marks where home_id = moved.from_id returning *
    )
    insert into public.marks as held (user_id, listing_id, home_id, mark, note, chat_id, created_at, updated_at)
    select user_id, listing_id, moved.to_id, mark, note, chat_id, created_at, updated_at from former order by user_id
    on conflict (user_id, home_id) do update set
      mark = case when 'hidden' in (held.mark, excluded.mark) then 'hidden' else coalesce(held.mark, excluded.mark) end,
      note = case
        when held.note <> excluded.note then left(held.note || E'\n' || excluded.note, 2000)
        else coalesce(held.note, excluded.note)
      end,
      chat_id = coalesce(held.chat_id, excluded.chat_id), updated_at = greatest(held.updated_at, excluded.updated_at);
    with former as (
      delete from watch.shortlists where home_id = moved.from_id returning *
    )
    insert into watch.shortlists (chat_id, home_id, kept_at, by_two_at)
    select chat_id, moved.to_id, kept_at, by_two_at from former order by chat_id on conflict (chat_id, home_id) do nothing;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.shown_finds(person uuid, homes watch.found_home[])
 RETURNS SETOF jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select found.card || jsonb_build_object(
    'listingId', home.listing_id, 'homeId', home.home_id, 'priceEur', home.price_eur,
    'formerPriceEur', home.former_price_eur, 'pricePerM2Eur', asked.per_m2,
    'placeId', case when home.place_id not like 'name:%' then home.place_id end,
    'comparison', watch.comparison_of(found.card, home.place_id, asked.per_m2),
    'searchIds', (
      select coalesce(jsonb_agg(saved.id order by saved.is_first desc, saved.created_at, saved.id), '[]')
      from public.searches as saved
      where saved.user_id = person and exists (
        select from public.listings as advert
        where advert.user_id = person and advert.listing_id = any (home.adverts) and saved.id = any (advert.search_ids)
      )
    ),
    'foundAt', home.found_at,
    'lastSeenAt', sight.last_at,
    'notSeenSince', case
      when home.gone_at is null and sight.last_at < now() - coalesce(sight.patience, interval '1 day') then sight.last_at
    end,
    'goneAt', home.gone_at, 'mark', home.mark, 'note', home.note,
    -- The searches that left it out, each with its rule.
    'leftOutBy', (
      select coalesce(
        jsonb_agg(jsonb_build_object('searchId', left_outs.search_id, 'rule', left_outs.rule) order by left_outs.search_id), '[]'
      )
      from public.left_outs
      where left_outs.user_id = person and left_outs.listing_id = any (home.adverts) and left_outs.returned_at is null
    ),
    'advertCount', cardinality(home.adverts),
    'travelTimes', watch.travel_times_of(person, found.card),
    'warnings', (
      select coalesce(jsonb_agg(warning order by place), '[]')
      from jsonb_array_elements(
        case when jsonb_typeof(found.card -> 'warnings') = 'array' then found.card -> 'warnings' else '[]' end
      ) with ordinality as warnings (warning, place)
      where not exists (
        select from public.find_settings as settings
        where settings.user_id = person and warning ->> 'kind' = any (settings.hidden_warnings)
      )
    )
  )
  from unnest(homes) with ordinality as home
  join watch.found_cards as found on found.user_id = person and found.listing_id = home.listing_id
  cross join lateral (
    select watch.per_m2(home.price_eur, watch.amount_in(found.card -> 'areaM2')) as per_m2 offset 0
  ) as asked
  cross join lateral (
    -- A feed saw a listing in the last check that did not miss it. Two checks may fail before that is worth a warning. What no
    -- feed reads was seen in a mail, or before its search was paused.
    select greatest(
        found.seen_at, max(feeds.last_ok_at - seen.missed * feeds.interval_seconds * interval '1 second')
      ) as last_at,
      case when count(*) > 0 then greatest(interval '1 hour', max(feeds.interval_seconds) * interval '3 seconds') end as patience
    from watch.feed_listings as seen join watch.feeds on feeds.key = seen.feed_key
    where seen.listing_id = home.listing_id and seen.gone_at is null
  ) as sight
  order by home.ordinality;
$function$;

-- Watches a search for the owner of a private chat; makes the account and connects the chat if needed, or says when it can.
CREATE OR REPLACE FUNCTION watch.start_in_chat(telegram_id bigint, metadata jsonb, chat_title text, url text, at timestamp with time zone, OUT outcome text, OUT person uuid, OUT search_id uuid, OUT free_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- As private.enter_by_telegram: two presses at the same time make one account and count once.
  perform pg_advisory_xact_lock(hashtextextended('telegram-account ' || telegram_id, 0));
  person := (
    select known.user_id from watch.telegram_identities as known where known.telegram_id = start_in_chat.telegram_id
  );
  if person is null then
    select limits.outcome, limits.free_at into outcome, free_at
    from private.limit_accounts_in_chats(start_in_chat.telegram_id, at) as limits;
    if outcome is not null then
      return;
    end if;
    select entered.user_id into person from private.enter_by_telegram(start_in_chat.telegram_id, metadata) as entered;
  end if;
  perform private.lock_person(person);
  if exists (select from auth.users where id = person and banned_until > now()) then
    outcome := 'not-connected';
    return;
  end if;
  outcome := private.connect_own_chat(person, start_in_chat.telegram_id, chat_title);
  if outcome = 'connected' then
    select added.outcome, added.search_id into outcome, search_id
    from watch.add_search(person, start_in_chat.telegram_id, url) as added;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.state_of_search(search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', filters.id,
    'is_paused', filters.is_paused,
    'chats', watch.chat_counts(filters.user_id, filters.receiver_ids),
    'muted_until', watch.muted_until(search, filters.user_id, filters.receiver_ids),
    'is_held', exists (select from watch.pause),
    'problem', compiled.problem,
    'baseline_at', compiled.baseline_at,
    'interval_seconds', live.interval_seconds,
    'is_served_by_mail', watch.is_served_by_mail(filters.user_id),
    'spent_until', spent.until,
    'waits_until', (
      select waiting.until from watch.waiting_searches as waiting where waiting.search_id = search and waiting.until > now()
    ),
    -- Checks of the feed before the search joined it do not count.
    'last_ok_at', greatest(case when compiled.baseline_at is not null then feeds.last_ok_at end, compiled.checked_at),
    'next_check_at', live.next_check_at,
    'last_gap', (
      select jsonb_build_object('from', gaps.from_at, 'until', gaps.until_at) from watch.gaps
      where gaps.search_id = search and gaps.told_at > now() - interval '7 days' order by gaps.until_at desc limit 1
    ),
    'late_since', watch.late_since(live, now()),
    -- A spent quota is no longer a failure in the next month.
    'failing_since', case when spent.is_over then null else live.failing_since end,
    'failure_reason', case when spent.is_over then null else live.failure_reason end,
    'failed_rounds', coalesce(live.failed_rounds, 0),
    'alerts', watch.alert_counts(filters.user_id, search),
    'last_find', watch.last_find_of(filters.user_id, search),
    'last_sent', (
      select jsonb_build_object('source', alerts.source, 'at', alerts.sent_at)
      from watch.alerts
      where alerts.user_id = filters.user_id and alerts.source is not null and alerts.sent_at is not null
        and search = any (alerts.search_ids)
      order by alerts.created_at desc, alerts.position desc limit 1
    ),
    'freshness', watch.freshness_of(filters.user_id),
    'latest_alerts', watch.latest_alerts_of(filters.user_id, search)
  )
  from public.searches as filters
  left join watch.compiled_searches as compiled on compiled.filter_id = filters.id and compiled.filter_url = filters.filter_url
  left join watch.feeds on feeds.key = compiled.feed_key
  left join watch.feeds as live on live.key = feeds.key and live.idle_since is null
  left join lateral (
    select coalesce(live.spent_until <= now(), false) as is_over,
      case when live.spent_until is null or live.spent_until > now() then coalesce(live.spent_until, watch.next_month()) end
        as until
    where live.failing_since is not null and live.failure_reason = 'quota-spent'
  ) as spent on true
  where filters.id = search;
$function$;

-- Ends all alerts to the chat. Returns for how many people this is a change.
CREATE OR REPLACE FUNCTION watch.stop_chat(chat bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  stopped integer;
begin
  update watch.chats set asked_id_at = null, muted_until = null where chat_id = chat;
  update public.chats set state = 'declined', reason = 'stopped' where chat_id = chat and state <> 'declined';
  get diagnostics stopped = row_count;
  insert into watch.chat_questions (user_id, chat_id, asked_at, answer, is_stop)
  select user_id, chat_id, 'epoch', 'no', true from public.chats where chat_id = chat and reason = 'stopped'
  on conflict (user_id, chat_id) do update set answer = 'no', is_stop = true;
  update watch.alerts set state = 'undeliverable', last_error = 'stopped' where chat_id = chat and state = 'pending';
  return stopped;
end;
$function$;

-- Whether alerts are written for a chat, sent now or later.
CREATE OR REPLACE FUNCTION watch.takes_alerts(chat_state text, chat_reason text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select chat_state = 'connected' or (chat_state = 'unreachable' and chat_reason = 'no-rights');
$function$;

CREATE OR REPLACE FUNCTION watch.text_in(value jsonb, longest integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when jsonb_typeof(value) = 'string' then nullif(btrim(left(value #>> '{}', longest)), '') end
$function$;

CREATE OR REPLACE FUNCTION watch.travel_times_of(person uuid, said jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'placeId', ways.place_id, 'footMinutes', ways.foot_minutes, 'bicycleMinutes', ways.bicycle_minutes
  )), '[]')
  from public.own_places as place join watch.travel_times as ways on ways.place_id = place.id
  where place.user_id = person
    and ways.latitude = case when jsonb_typeof(said -> 'latitude') = 'number'
      then round((said ->> 'latitude')::numeric, 4)::double precision end
    and ways.longitude = case when jsonb_typeof(said -> 'longitude') = 'number'
      then round((said ->> 'longitude')::numeric, 4)::double precision end;
$function$;

CREATE OR REPLACE FUNCTION watch.watch_listing(person uuid, meant_id text, said_in bigint, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  perform private.lock_person(person);
  if not watch.can_see(person, meant_id) then
    return 'not-seen';
  end if;
  if 100 <= (
    select count(*) from public.marks
    where marks.user_id = person and marks.mark = 'kept' and marks.home_id <> home and not exists (
      select from public.listings where listings.user_id = person and listings.home_id = marks.home_id
    )
  ) then
    return 'too-many';
  end if;
  insert into public.marks (user_id, listing_id, home_id, mark, chat_id, created_at, updated_at)
  values (person, meant_id, home, 'kept', said_in, at, at)
  on conflict (user_id, home_id) do update set
    listing_id = excluded.listing_id, mark = excluded.mark, chat_id = excluded.chat_id, updated_at = excluded.updated_at;
  return 'kept';
end;
$function$;

CREATE OR REPLACE FUNCTION watch.web_address_in(value jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 1000 and value #>> '{}' ~ '^https?://[^\s"<>\\]+$'
    then value #>> '{}'
  end
$function$;
