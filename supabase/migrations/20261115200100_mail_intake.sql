-- What receiving needs to remember: when a mail is tried again, that it was dealt with, and how far a mailbox was read.

-- A mail that was dealt with leaves its digest for some days, so that the same one sent again is known; its text is gone.
alter table watch.mails
  -- squawk-ignore ban-drop-not-null
  alter column raw drop not null,
  add column done_at timestamptz,
  -- How often somebody began to deal with it, counted before: what kills the process must end too.
  add column attempts integer not null default 0,
  add column next_try_at timestamptz not null default now(),
  -- squawk-ignore constraint-missing-not-valid
  add constraint mail_has_its_text_until_done check (raw is not null or done_at is not null);

comment on table watch.mails is
  'Alert mails that were accepted: whole until they are dealt with, then for some days their digests alone.';

-- squawk-ignore require-concurrent-index-creation
create index mails_to_be_read on watch.mails (next_try_at) where done_at is null;
-- squawk-ignore require-concurrent-index-creation
create index mails_done on watch.mails (done_at) where done_at is not null;

create table watch.mailboxes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- A digest of server, login and folder: another mailbox begins anew.
  mailbox text not null check (char_length(mailbox) <= 64),
  uid_validity bigint not null,
  last_uid bigint not null,
  -- The youngest mail seen: where to go on when the server has numbered its mails anew.
  seen_at timestamptz not null
);

comment on table watch.mailboxes is 'How far the mailbox of a person was read.';

-- People see in their export what they can see of their mails.
create or replace function public.export_my_data() returns jsonb
  language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'account', private.my_account() || (
      select jsonb_build_object(
        'full_name', profiles.full_name, 'language', profiles.language,
        'quiet_from', profiles.quiet_from, 'quiet_until', profiles.quiet_until
      )
      from public.profiles where profiles.id = (select auth.uid())
    ),
    'filter', (
      select to_jsonb(filter_settings) - 'based_on' from public.filter_settings where user_id = (select auth.uid())
    ),
    'chats', (
      select coalesce(jsonb_agg(to_jsonb(chats) - 'user_id' order by created_at, chat_id), '[]')
      from public.chats where user_id = (select auth.uid())
    ),
    'listings', (
      select coalesce(jsonb_agg(to_jsonb(listings) order by created_at, listing_id), '[]')
      from public.listings where user_id = (select auth.uid())
    ),
    'alerts', private.my_alerts(),
    'marks', private.my_marks(),
    'mail_address', (
      select to_jsonb(mail_addresses) - 'user_id' from public.mail_addresses where user_id = (select auth.uid())
    ),
    'received_mails', (
      select coalesce(jsonb_agg(to_jsonb(received_mails) - 'user_id' order by received_at, id), '[]')
      from public.received_mails where user_id = (select auth.uid())
    )
  );
$$;
