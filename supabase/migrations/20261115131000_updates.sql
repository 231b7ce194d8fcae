-- What Telegram told the bot. An update is kept before it is confirmed, dealt with once, and its id remembered for a while,
-- for Telegram tells an update again whenever it is not sure that it was heard.
create table watch.updates (
  update_id bigint primary key,
  -- As JSON text: Telegram's texts may hold what jsonb refuses. Emptied when it has been dealt with.
  content text,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  done_at timestamptz
);

comment on table watch.updates is 'The bot''s inbox: updates waiting to be dealt with, and the ids of those that were.';

create index updates_waiting on watch.updates (update_id) where done_at is null;
create index updates_done on watch.updates (done_at) where done_at is not null;
