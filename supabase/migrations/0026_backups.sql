-- Scheduled backups: when the last one was made, and by whom one is wanted, so that its age can be watched from any process.

create table watch.backups (
  is_only boolean primary key default true check (is_only),
  -- When a process was first configured to make backups, and when one last was.
  wanted_since timestamptz not null,
  wanted_at timestamptz not null,
  made_at timestamptz,
  size_bytes bigint
);
comment on table watch.backups is 'The last scheduled backup, in one row; none if no process makes them.';
alter table watch.backups enable row level security;
revoke all on watch.backups from public, anon, authenticated;
