-- Refused requests are counted apart from those of the month, and all processes share one pause after them.

alter table watch.request_budgets
  -- Refused this month: limits, errors and timeouts. They are not part of `used`.
  add column refused bigint not null default 0 check (refused >= 0),
  -- While it is not zero, requests are only sent after `paused_until`, one at a time: the probe.
  add column refusals_in_a_row integer not null default 0 check (refusals_in_a_row >= 0),
  add column refused_because text,
  add column paused_until timestamptz,
  add column probe_id uuid,
  add column probe_until timestamptz;

-- `next_at` also held pauses until now.
update watch.request_budgets set
  refusals_in_a_row = 1, refused_because = 'rate-limited', paused_until = next_at, next_at = now()
where next_at > now() + interval '1 minute';
