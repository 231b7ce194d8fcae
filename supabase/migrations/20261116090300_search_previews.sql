-- Before saving: what a link would find, worked out by the watcher from what its feeds have seen already. One question a
-- person; asking again brings the answer as soon as there is one.

create table watch.search_previews (
  user_id uuid primary key references auth.users (id) on delete cascade,
  filter_url text not null,
  asked_at timestamptz not null default now(),
  -- Null until the watcher has looked; src/core/search/search-preview.ts has its shape.
  answer jsonb check (octet_length(answer::text) <= 8192),
  -- Questions since then, at most sixty an hour.
  asks integer not null default 1,
  counted_since timestamptz not null default now()
);
create index search_previews_to_answer on watch.search_previews (asked_at) where answer is null;

comment on table watch.search_previews is 'The last link each person asked about before saving it, and what it would find.';

-- The same links as may be saved.
do $$
declare
  rule record;
begin
  for rule in
    select conname, replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', '') as definition
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attname = 'filter_url' and conkey = array[attnum]
    where conrelid = 'public.filter_settings'::regclass and contype = 'c'
  loop
    execute format('alter table watch.search_previews add constraint %I %s', rule.conname, rule.definition);
  end loop;
end;
$$;

create function public.preview_search(filter_url text) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  held watch.search_previews;
begin
  if me is null then
    raise exception 'Only a signed-in person can ask what a search finds' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('search-preview ' || me, 0));
  select * into held from watch.search_previews where user_id = me;
  if held.filter_url = preview_search.filter_url and held.asked_at > now() - interval '10 minutes' then
    return held.answer;
  end if;
  if held.asks >= 60 and held.counted_since > now() - interval '1 hour' then
    raise exception 'Sixty searches an hour are enough to ask about' using errcode = 'PT429', detail = 'too-many-previews';
  end if;
  insert into watch.search_previews as previews (user_id, filter_url) values (me, preview_search.filter_url)
  on conflict (user_id) do update set
    filter_url = excluded.filter_url, asked_at = now(), answer = null,
    asks = case when previews.counted_since > now() - interval '1 hour' then previews.asks + 1 else 1 end,
    counted_since = case when previews.counted_since > now() - interval '1 hour' then previews.counted_since else now() end;
  perform pg_notify('previews', me::text);
  return null;
end;
$$;

comment on function public.preview_search(text) is
  'What a link would find, from what the feeds have seen; null while that is being worked out: ask again.';

revoke execute on function public.preview_search(text) from public, anon;
grant execute on function public.preview_search(text) to authenticated;
