-- Telegram's Mini App opens a session from launch data that Telegram signed. The data stays usable for an hour, so a
-- launch is remembered with its session, and data that was signed before a revocation opens nothing.

create table private.ended_grants (
  user_id uuid primary key references auth.users (id) on delete cascade,
  ended_at timestamptz not null
);
comment on table private.ended_grants is
  'When a person''s grants were last ended. What was signed for the person before opens nothing, though it is stored nowhere.';

create table private.telegram_launches (
  launch bytea primary key check (octet_length(launch) = 32),
  user_id uuid not null references auth.users (id) on delete cascade,
  session_id uuid not null,
  opened_at timestamptz not null,
  uses integer not null default 1 check (uses > 0)
);
comment on table private.telegram_launches is
  'Launches of the Mini App by the hash of their signature, with the session that each opened last. A second use replaces that session.';
create index telegram_launches_of_a_person on private.telegram_launches (user_id);
create index telegram_launches_by_time on private.telegram_launches (opened_at);

alter table private.ended_grants enable row level security;
alter table private.telegram_launches enable row level security;

create or replace function private.end_flows(person uuid) returns void
  language plpgsql security definer set search_path to '' as $$
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
$$;

alter table private.security_events drop constraint security_events_kind_check;
alter table private.security_events add constraint security_events_kind_check check (kind in (
  'sign_in', 'sign_up', 'mini_app', 'wrong_password', 'password_changed', 'password_reset', 'session_ended',
  'chat_connected', 'chat_removed', 'export', 'telegram_linked', 'telegram_unlinked', 'email_added'
));

-- Links of the form https://t.me/<bot>?startapp=… open it in any chat.
alter table watch.bot add column has_main_app boolean not null default false;
