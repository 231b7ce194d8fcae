-- A step of planning that throws is set aside, too, and tried again in growing steps.
alter table watch.quarantine drop constraint quarantine_kind_check;
alter table watch.quarantine add constraint quarantine_kind_check check (kind in ('search', 'advert', 'feed', 'plan')) not valid;
alter table watch.quarantine validate constraint quarantine_kind_check;
comment on table watch.quarantine is 'Searches, adverts, feeds and steps of planning that the watcher set aside after an error, and when it tries them again.';
