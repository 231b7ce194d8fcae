-- What a feed costs is learned from its regular checks: how many adverts come to its list an hour, and over how many hours that was
-- observed. A feed of before is guessed anew.
alter table watch.feeds
  add column adverts_per_hour double precision,
  add column observed_hours double precision not null default 0,
  -- The interval that its people are promised; null until it is planned for the first time. It is longer only while the requests do not last.
  add column promised_seconds integer,
  add constraint feeds_learn_rates check (adverts_per_hour >= 0 and observed_hours >= 0),
  add constraint feeds_keep_promises check (promised_seconds > 0);

update watch.feeds set promised_seconds = interval_seconds where last_ok_at is not null;
