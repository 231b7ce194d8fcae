-- "Send to…" works only if the bot's inline mode is on, which its owner decides at @BotFather.
alter table watch.bot add column has_inline_mode boolean not null default false;
