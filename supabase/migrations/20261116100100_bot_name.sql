-- The bot's name as Telegram tells it to whoever holds the token, for the machines that do not.

create table watch.bot (
  is_the_bot boolean primary key default true check (is_the_bot),
  username text not null check (username ~ '^\w{5,32}$')
);

comment on table watch.bot is 'What Telegram calls our bot: one row, written by the process that speaks for it.';
