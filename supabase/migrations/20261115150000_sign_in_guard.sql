-- What the guard before the auth service must know after a restart too: who has used up what, and where an account's
-- owner signs in from. Both by keyed hashes: neither a mail address nor a network address can be read from here.

create table private.guard_allowances (
  key bytea primary key,
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- From then on the row says what no row says.
  full_at timestamptz not null
);

comment on table private.guard_allowances is 'What is left of the tries with wrong passwords for an account, and of mails to an address.';

create index guard_allowances_by_full_at on private.guard_allowances (full_at);

alter table private.guard_allowances enable row level security;
revoke all on private.guard_allowances from public, anon, authenticated;

create table private.known_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  address_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, address_hash)
);

comment on table private.known_addresses is 'The latest network addresses an account was signed in from: a stranger''s guesses do not lock its owner out there.';

alter table private.known_addresses enable row level security;
revoke all on private.known_addresses from public, anon, authenticated;
