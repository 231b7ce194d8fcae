-- A used launch opens nothing after its session has ended, also if its account was deleted and the same Telegram user has
-- a new one. What stays is a hash, for two hours.
-- squawk-ignore ban-drop-not-null
alter table private.telegram_launches alter column user_id drop not null;
alter table private.telegram_launches drop constraint telegram_launches_user_id_fkey;
-- The table holds the launches of two hours.
-- squawk-ignore adding-foreign-key-constraint
alter table private.telegram_launches add constraint telegram_launches_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete set null;
