-- First checks are limited by account, and those of all newcomers together by one share of the month.
delete from watch.first_checks where user_id is null;
alter table watch.first_checks drop constraint first_checks_are_of_one;
alter table watch.first_checks drop constraint first_checks_exist_once;
alter table watch.first_checks drop column chat_id, drop column address_hash;
create unique index first_checks_pkey on watch.first_checks (user_id);
alter table watch.first_checks add primary key using index first_checks_pkey;
comment on table watch.first_checks is 'How many first checks an account had lately, and when it had its very first.';

alter table watch.newcomer_checks drop column chat_checks;
with counted as (delete from watch.newcomer_checks returning *)
insert into watch.newcomer_checks (source, day, checks)
select source, date_trunc('month', day)::date, sum(checks) from counted group by 1, 2;
comment on table watch.newcomer_checks is 'First checks of newcomers, by source and month.';
comment on column watch.newcomer_checks.day is 'The first day of the month.';
