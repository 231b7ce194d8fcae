-- After a 429 a chat, or the whole bot, is written to more slowly for a while. A restart must not forget that.

alter table watch.chat_paces
  -- How far it was slowed down when Telegram last asked for it; a step is given back with time.
  add column caution integer not null default 0,
  add column flooded_at timestamptz;

alter table watch.sender
  add column caution integer not null default 0,
  add column flooded_at timestamptz;
