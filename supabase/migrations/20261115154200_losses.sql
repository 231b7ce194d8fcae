-- What a source gave and we could not use, and what we asked for and it did not do: counted for the operator.
create table watch.losses (
  source text not null check (source in ('official', 'by-url')),
  -- unread-listing: an advert in an answer, each time one was met; its reason is the field at fault.
  -- filter-not-applied: an answer to more than was asked for; its reason names the filters.
  -- gap: a reading that did not reach what was known, so that listings may have passed unread.
  kind text not null check (kind in ('unread-listing', 'filter-not-applied', 'gap')),
  reason text not null check (char_length(reason) <= 100),
  amount bigint not null check (amount > 0),
  last_at timestamptz not null,
  primary key (source, kind, reason)
);

comment on table watch.losses is 'What was lost on the way from a source, by source, kind and reason, over all processes and times.';

alter table watch.losses enable row level security;
