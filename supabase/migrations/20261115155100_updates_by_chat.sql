-- The bot deals with its inbox chat by chat, by turns, so that one chat's flood holds up nobody else.

alter table watch.updates
  -- Zero where nobody could tell; null where nobody has looked yet, and where the update is done with.
  add column chat_id bigint,
  add column sender_id bigint;

create index updates_waiting_in_a_chat on watch.updates (chat_id, update_id) where done_at is null;
drop index watch.updates_waiting;
