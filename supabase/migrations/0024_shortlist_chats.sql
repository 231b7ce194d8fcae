-- A chat can receive everything, only homes that somebody kept, or only homes that two of its people kept.

alter table public.chats add column receives text not null default 'everything'
  constraint receives_is_known check (receives in ('everything', 'kept', 'kept-by-two'));
comment on column public.chats.receives is 'Which homes of the person this chat receives.';
create policy "People choose what their own chats receive" on public.chats
  for update to authenticated
  using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
grant update (receives) on public.chats to authenticated;

-- A second person joins the shortlist of a chat, and does not fill it. Only a connected chat: what a chat receives is not
-- shown to an account that merely names it.
create function private.follow_receives() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.chat_id < 0 and new.state = 'connected' and new.receives = 'everything'
    and (tg_op = 'INSERT' or old.state <> 'connected') then
    new.receives := coalesce((
      select receives from public.chats
      where chat_id = new.chat_id and user_id <> new.user_id and state = 'connected'
      order by created_at, user_id limit 1
    ), new.receives);
  end if;
  return new;
end;
$$;
create trigger chats_follow_receives
  before insert or update of state on public.chats
  for each row when (coalesce(auth.uid(), new.user_id) = new.user_id)
  execute function private.follow_receives();

insert into watch.alert_kinds
  (kind, is_about_listing, is_offer, is_holdable, is_reply, is_sighted, is_question)
values ('kept', true, true, true, true, false, false);

create table watch.shortlists (
  chat_id bigint not null references watch.chats (chat_id) on delete cascade,
  home_id text not null check (char_length(home_id) between 1 and 64),
  kept_at timestamptz not null,
  by_two_at timestamptz,
  primary key (chat_id, home_id)
);
comment on table watch.shortlists is 'The kept homes that were announced in each shortlist chat, and when as kept by two.';

-- The name of a person as the others in their chat may see it.
create function private.keeper_name(person uuid, chat bigint) returns text
  language sql stable security definer set search_path = ''
as $$
  select coalesce(private.plain_name(full_name), private.account_in_chat(person, chat))
  from public.profiles where id = person;
$$;

-- Called after the mark was set, under the lock of the home. What it writes commits with the mark.
create function watch.announce_kept(person uuid, meant_id text, meant text[], at timestamptz) returns void
  language plpgsql set search_path = ''
as $$
declare
  home constant text := (select home_id from watch.home_of(meant_id));
  shown record;
  chat record;
  keepers text[];
  is_new boolean;
  is_by_two boolean;
begin
  select alerts.listing_id, alerts.payload -> 'listing' as listing, alerts.search_ids into shown from watch.alerts
  where alerts.user_id = person and alerts.listing_id = any (meant)
    and jsonb_typeof(alerts.payload -> 'listing') = 'object'
  order by alerts.listing_id = meant_id desc, alerts.position desc limit 1;
  if not found then
    return;
  end if;
  for chat in
    select own.chat_id, own.receives from public.chats as own
    join watch.chats as met on met.chat_id = own.chat_id
    where own.user_id = person and own.state = 'connected' and own.receives <> 'everything'
    order by own.chat_id
  loop
    select array_agg(private.keeper_name(kept.user_id, chat.chat_id) order by kept.first_at, kept.user_id) into keepers
    from (
      select marks.user_id, min(marks.updated_at) as first_at
      from public.marks join public.chats as theirs on theirs.user_id = marks.user_id
        and theirs.chat_id = chat.chat_id and theirs.state = 'connected'
      left join watch.portal_listings as advert on advert.listing_id = marks.listing_id
      where marks.mark = 'kept' and (marks.listing_id = any (meant) or advert.home_id = home)
      group by marks.user_id
    ) as kept;
    is_by_two := cardinality(keepers) >= 2;
    continue when chat.receives = 'kept-by-two' and not is_by_two;
    insert into watch.shortlists (chat_id, home_id, kept_at) values (chat.chat_id, home, at) on conflict do nothing;
    is_new := found;
    if is_by_two then
      update watch.shortlists set by_two_at = at
      where chat_id = chat.chat_id and home_id = home and by_two_at is null;
      is_by_two := found;
    end if;
    continue when not is_new and not is_by_two;
    insert into watch.alerts (user_id, chat_id, kind, listing_id, event_key, payload, search_ids)
    values (
      person, chat.chat_id, 'kept', shown.listing_id, case when is_by_two then 'by-two' else '' end,
      jsonb_build_object('listing', shown.listing, 'keepers', to_jsonb(keepers), 'isByTwo', is_by_two),
      shown.search_ids
    )
    on conflict do nothing;
  end loop;
end;
$$;
comment on function watch.announce_kept(uuid, text, text[], timestamptz) is
  'Announces a kept home in the person''s shortlist chats: once, and once more when a second person has kept it.';

-- What all confirmed people of a chat send to it. Returns their number.
create function watch.set_receives(chat bigint, new_receives text) returns integer
  language plpgsql set search_path = ''
as $$
declare
  changed integer;
begin
  update public.chats set receives = new_receives
  where chat_id = chat and (user_id, chat_id) in (select user_id, chat_id from watch.confirmed_chats);
  get diagnostics changed = row_count;
  return changed;
end;
$$;

-- The id of a group changes when it becomes a supergroup; the old row is deleted after this one is written.
create function private.move_shortlist() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into watch.shortlists (chat_id, home_id, kept_at, by_two_at)
  select new.to_chat_id, home_id, kept_at, by_two_at from watch.shortlists where chat_id = new.from_chat_id
  on conflict do nothing;
  return null;
end;
$$;
create trigger shortlists_follow_moved_chats
  after insert or update on watch.moved_chats
  for each row execute function private.move_shortlist();

revoke execute on all functions in schema private from public;
