-- A person who reads on a phone has the steps for alert mails mailed to their own address, to follow them on a computer.

create table watch.mailed_steps (
  user_id uuid not null references auth.users (id) on delete cascade,
  mailed_at timestamptz not null default clock_timestamp(),
  primary key (user_id, mailed_at)
);
comment on table watch.mailed_steps is 'When a person had the steps for alert mails mailed in the last day, for a rate limit.';

create function public.mail_alert_steps() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform pg_advisory_xact_lock(hashtextextended('mailed-steps ' || me, 0));
  if (select count(*) from watch.mailed_steps where user_id = me and mailed_at > now() - interval '1 day') >= 3 then
    raise exception 'Three mails a day are enough' using errcode = 'PT429', detail = 'too-many-mails';
  end if;
  if not exists (select from auth.users where id = me and email <> '') and private.chat_for_notices(me) is null then
    raise exception 'There is neither an address nor a chat to send them to' using errcode = 'PT409', detail = 'no-chat';
  end if;
  delete from watch.mailed_steps where user_id = me and mailed_at <= now() - interval '1 day';
  insert into watch.mailed_steps (user_id) values (me);
  insert into private.account_mails (kind, user_id) values ('alert-mail-steps', me);
end;
$$;
comment on function public.mail_alert_steps() is 'Sends the steps for alert mails to the caller''s own address, or to their private chat if there is none; three a day.';

revoke execute on function public.mail_alert_steps() from public, anon;
grant execute on function public.mail_alert_steps() to authenticated;
