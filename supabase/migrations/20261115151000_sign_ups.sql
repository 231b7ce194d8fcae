-- Accounts made lately, by the address they were made from, so that one address cannot make them without end. Counted
-- here, and not in a process, because a restart or a second process must not begin anew.
create table private.sign_ups (
  id bigint generated always as identity primary key,
  -- Not the address itself: a keyed hash of it, which tells nobody where a person lives.
  address text not null check (length(address) between 1 and 100),
  at timestamptz not null
);

create index sign_ups_by_address on private.sign_ups (address, at);
create index sign_ups_by_time on private.sign_ups (at);

alter table private.sign_ups enable row level security;
revoke all on private.sign_ups from public, anon, authenticated, service_role;

comment on table private.sign_ups is
  'Accounts made in the last 24 hours, one row each, by keyed hash of the address; older rows go with the next sign-up.';
