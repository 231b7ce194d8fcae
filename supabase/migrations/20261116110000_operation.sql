-- What the operator is told of, kept here so that several processes tell it once, and the operator's own switch.

create table watch.troubles (
  kind text not null check (kind in ('quota', 'source', 'token', 'mail', 'disk')),
  -- Which source, which machine; empty where there is one of its kind.
  subject text not null default '' check (char_length(subject) <= 200),
  since timestamptz not null,
  told_at timestamptz,
  over_at timestamptz,
  primary key (kind, subject)
);

comment on table watch.troubles is 'What is wrong now, and whether the operator has heard of it.';

create table watch.pause (
  is_paused boolean primary key default true check (is_paused),
  since timestamptz not null default now()
);

comment on table watch.pause is 'A row while the operator has paused everything: nothing is checked, nothing is sent.';
