-- The limit of account mails counts mailboxes, so a stranger who makes accounts with spellings of an address used up the mails
-- about its owner's account. Proved addresses are counted apart. An account that is deleted takes its proof with it.
alter table private.account_mails add column is_proven boolean not null default false;
comment on column private.account_mails.is_proven is 'Whether the address of a deleted account was proved.';

create or replace function private.tell_of_deleted_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_mails (kind, email, language, is_proven)
  select 'account-deleted', old.email, coalesce(
    (select profiles.language from public.profiles where profiles.id = old.id),
    private.language_of(old.raw_user_meta_data)
  ), exists (select from private.proven_addresses as proven where proven.user_id = old.id)
  where old.email <> '';
  return old;
end;
$$;
