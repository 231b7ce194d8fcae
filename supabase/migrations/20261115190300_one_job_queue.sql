-- Background work has one queue, pg-boss in its own schema, which it makes itself. It carries the mails too: the table only
-- holds them until they become jobs, in the transaction that takes them from it. What the old queue held is found due again.
drop schema if exists watch_jobs cascade;

-- squawk-ignore ban-drop-column
alter table private.account_mails drop column attempts, drop column not_before;

comment on table private.account_mails is 'Mails about an account that wait to become jobs.';
