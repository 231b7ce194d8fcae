-- Whoever knows the password can sign in and out again and again, and each sign-out ended the owner's reset links: nobody
-- whose password was stolen could reset it by mail. Signing out and unlinking now end such links once a day. A password is
-- changed at most ten times a day, and twelve links are mailed.
create function private.may_end_reset_links(person uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  key constant bytea := sha256(convert_to('ended reset links of ' || person, 'UTF8'));
begin
  -- GoTrue keeps its links, and its own rules, elsewhere.
  if private.is_hosted()
    or not exists (select from private.mailed_links where user_id = person and kind = 'recovery') then
    return true;
  end if;
  if private.next_allowance(key, 1, '1 day', now()) > now() then
    return false;
  end if;
  perform private.spend_allowance(key, 1, '1 day', now());
  return true;
end;
$$;
revoke all on function private.may_end_reset_links(uuid) from public;

create or replace function private.end_grants(person uuid, event text, kept_session uuid default null::uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  is_hosted constant boolean := private.is_hosted();
begin
  if event not in (
    'password-changed', 'reset-used', 'address-proved', 'provider-unlinked', 'telegram-disconnected', 'signed-out-here',
    'signed-out-elsewhere', 'signed-out-everywhere', 'suspended', 'deleted'
  ) then
    raise exception 'No grant is declared for the event %', event;
  end if;
  -- GoTrue has locked the account's rows before its triggers run: waiting for the person there could deadlock.
  if not (is_hosted and pg_trigger_depth() > 0) then
    perform private.lock_person(person);
  end if;
  if event = 'deleted' then
    perform private.end_flows(person);
    return;
  end if;
  perform from auth.users where id = person for no key update;

  delete from watch.link_tokens where user_id = person and used_at is null;
  if event = 'signed-out-here' then
    perform private.end_mailed_links(person, '{email_change}');
    return;
  end if;

  if event = 'telegram-disconnected' then
    perform private.end_private_chat(person, (
      select telegram_id from watch.telegram_identities where user_id = person limit 1
    ));
  end if;
  if event = 'address-proved' then
    perform private.end_chats(person, array(select chat_id from public.chats where user_id = person), 'access-ended');
    delete from public.mail_addresses where user_id = person;
    delete from watch.away_mails where user_id = person;
    delete from private.known_addresses where user_id = person;
    delete from private.known_browsers where user_id = person and (kept_session is null or session_id is distinct from kept_session);
  end if;

  -- The trigger of a deleted identity raises an event of its own, unless it is part of this one.
  perform set_config('sereno.ending_grants', person::text, true);
  if event = 'telegram-disconnected' then
    delete from auth.identities where user_id = person and provider = 'custom:telegram';
  elsif event = 'address-proved' then
    delete from auth.identities as other where user_id = person and provider <> 'email' and id is distinct from (
      select id from auth.identities as proving
      where proving.user_id = person and provider not in ('email', 'custom:telegram') and kept_session is null
      order by created_at desc limit 1
    );
  end if;
  perform set_config('sereno.ending_grants', '', true);

  -- GoTrue ends the other sessions itself after a change of password, and a trigger does not know which it keeps.
  if not (is_hosted and kept_session is null and event in ('password-changed', 'reset-used')) then
    delete from auth.sessions where user_id = person and id is distinct from kept_session;
  end if;
  if not is_hosted and event in ('password-changed', 'reset-used', 'provider-unlinked', 'telegram-disconnected') then
    delete from auth.mfa_amr_claims where session_id = kept_session;
  end if;
  perform private.end_flows(person);
  perform private.end_mailed_links(person, case
    when event in ('address-proved', 'suspended') then '{recovery, email_change, signup}'
    when event in ('password-changed', 'reset-used') or private.may_end_reset_links(person) then '{recovery, email_change}'
    else '{email_change}'
  end::text[]);
end;
$$;
