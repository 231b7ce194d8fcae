-- No function that people can call sets a configuration value or executes text as SQL, not even one that it wrote itself.

-- The private chat stays; the trigger of the deleted identity ends what else it granted.
create function private.remove_telegram_sign_in(person uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('sereno.keeps_chat', 'on', true);
  delete from auth.identities where user_id = person and provider = 'custom:telegram';
  perform set_config('sereno.keeps_chat', '', true);
end;
$$;
revoke execute on function private.remove_telegram_sign_in(uuid) from public;

create or replace function public.allow_telegram_link(state text, current_password text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
  flow constant uuid := substring(encode(sha256(convert_to('state ' || state, 'UTF8')), 'hex') for 32)::uuid;
begin
  perform private.require_proof(session, me, 'allow_telegram_link');
  if private.is_hosted() then
    return;
  end if;
  -- GoTrue has no column for the session.
  if not exists (
    select from auth.flow_state
    where id = flow and linking_target_id = me and linking_session_id = session and not is_state_used
  ) then
    raise exception 'This session has begun no such link' using errcode = 'PT404', detail = 'no-such-link';
  end if;
  insert into private.telegram_links as link (flow_id, session_id, user_id) values (flow, session, me)
  on conflict (session_id) do update set flow_id = excluded.flow_id, allowed_at = now();
end;
$$;

create or replace function public.unlink_telegram(current_password text default null, keep_chat boolean default false)
  returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.lock_session();
  session constant uuid := (select (auth.jwt() ->> 'session_id')::uuid);
begin
  perform private.require_proof(session, me, 'unlink_telegram');
  if not exists (select from auth.users where id = me and coalesce(encrypted_password, '') <> '')
    and not exists (select from auth.identities where user_id = me and provider = 'google') then
    raise exception 'Telegram is the only way in to this account' using errcode = 'PT409', detail = 'only-sign-in';
  end if;
  if not exists (select from auth.identities where user_id = me and provider = 'custom:telegram') then
    return;
  end if;
  if keep_chat then
    perform private.remove_telegram_sign_in(me);
  else
    perform private.end_grants(me, 'telegram-disconnected', session);
  end if;
  perform private.follow_identities(me);
  insert into private.account_mails (kind, user_id) values ('telegram-unlinked', me);
  perform private.note_security_event(me, 'telegram_unlinked', null, null, 1, now());
end;
$$;
