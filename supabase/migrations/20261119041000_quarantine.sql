-- What threw in the watcher is set aside, so that everything else goes on.

create table watch.quarantine (
  -- search: it could not be compiled, indexed or started. advert: its listing could not be stored or matched. feed: its check failed
  -- for another reason than its source.
  kind text not null check (kind in ('search', 'advert', 'feed')),
  -- The search's id, the listing's code or the feed's key.
  subject text not null check (char_length(subject) between 1 and 3000),
  -- What was tried: the link of a search. A changed one is tried at once.
  version text not null default '',
  reason text not null check (char_length(reason) <= 300),
  tries integer not null default 1 check (tries > 0),
  since timestamptz not null,
  -- In growing steps, up to a day.
  next_try_at timestamptz not null,
  primary key (kind, subject)
);
comment on table watch.quarantine is 'Searches, adverts and feeds that the watcher set aside after an error, and when it tries them again.';

alter table watch.quarantine enable row level security;
revoke all on watch.quarantine from public, anon, authenticated;
create index quarantine_by_next_try on watch.quarantine (next_try_at);

alter table watch.incidents drop constraint incidents_kind_check;
alter table watch.incidents add constraint incidents_kind_check check (
  kind in ('quota', 'source', 'token', 'telegram', 'mail', 'disk', 'clock', 'backup', 'set-aside', 'late')
) not valid;
alter table watch.incidents validate constraint incidents_kind_check;
