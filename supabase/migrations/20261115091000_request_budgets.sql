-- What our own processes keep for watching. The data API never exposes this schema, and no request role may enter it.
create schema watch;
comment on schema watch is 'The watcher''s own tables; reached by our processes alone.';

-- How much of a data API's allowance is used, shared by every process that asks with the same key.
create table watch.request_budgets (
  name text primary key,
  month date not null,
  used bigint not null default 0 check (used >= 0),
  next_at timestamptz not null default 'epoch'
);

comment on table watch.request_budgets is 'Requests made this month and the earliest moment of the next one, by data API.';
