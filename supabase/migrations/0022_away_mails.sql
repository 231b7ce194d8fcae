-- While Telegram is down or refuses the bot's token, waiting alerts are mailed to people with a proved address.

alter table watch.sender add column away_since timestamptz;
comment on column watch.sender.away_since is 'Since when Telegram has not answered; null while it does.';

alter table watch.alerts add column mailed_at timestamptz;
comment on column watch.alerts.mailed_at is 'When a mail listed the alert, because Telegram was away.';

alter table public.profiles add column mails_when_away boolean not null default true;
grant update (mails_when_away) on public.profiles to authenticated;

create table watch.away_mails (
  user_id uuid primary key references auth.users (id) on delete cascade,
  mailed_at timestamptz not null,
  -- Set before the mail is handed to the mail server, and cleared if the server refuses it.
  sending_since timestamptz,
  stop_token text not null unique default private.random_token()
);
comment on table watch.away_mails is
  'The last mail with waiting alerts of each person, and the token that switches these mails off.';
