-- What every process on this database must agree on: with what sessions are signed, and which key opens the project. Made by
-- whichever process starts first. A key that was replaced is honoured for a while.

create table private.server_keys (
  name text not null check (name in ('jwt_secret', 'publishable_key')),
  value text not null check (length(value) >= 32),
  made_at timestamptz not null default now(),
  -- Null for the one in use.
  honoured_until timestamptz,
  primary key (name, value)
);

comment on table private.server_keys is 'The keys of the embedded Supabase, shared by all processes; of each name one is in use.';

create unique index server_keys_in_use on private.server_keys (name) where honoured_until is null;

alter table private.server_keys enable row level security;
revoke all on private.server_keys from public, anon, authenticated;
