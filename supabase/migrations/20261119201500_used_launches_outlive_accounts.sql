-- A used launch opens nothing after its session has ended, also if its account was deleted and the same Telegram user has
-- a new one. What stays is a hash, for two hours.
alter table private.telegram_launches
  alter column user_id drop not null,
  drop constraint telegram_launches_user_id_fkey,
  add constraint telegram_launches_user_id_fkey
    foreign key (user_id) references auth.users (id) on delete set null;
