-- Rules on top of a search's link: what they would have done, and what they left out.

-- The homes that a search found or left out in the last 30 days, each by its latest listing, newest first, at most 500: PastHome in
-- src/core/rules/past-homes.ts.
create function watch.past_homes(person uuid, search uuid, at timestamptz) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'warnings', (
      select coalesce(jsonb_agg(warning ->> 'kind'), '[]') from jsonb_array_elements(
        case when jsonb_typeof(facts.said -> 'warnings') = 'array' then facts.said -> 'warnings' else '[]' end
      ) as told (warning)
    ),
    'isPrivate', case when jsonb_typeof(facts.said -> 'isPrivate') = 'boolean' then facts.said -> 'isPrivate' end,
    'title', watch.text_in(facts.said -> 'title', 300),
    'words', facts.words,
    'percentOfZone', case when figures.place_id is not null then
      watch.percent_above(facts.per_m2, figures.median_per_m2_eur)
    end,
    'latitude', case when jsonb_typeof(facts.said -> 'latitude') = 'number' then facts.said -> 'latitude' end,
    'longitude', case when jsonb_typeof(facts.said -> 'longitude') = 'number' then facts.said -> 'longitude' end,
    'isAddressShown', facts.said -> 'isAddressShown' is not distinct from 'true'::jsonb,
    'travelTimes', watch.travel_times_of(person, facts.said)
  )), '[]')
  from (
    select listing_id from (
      select distinct on (home.home_id) held.listing_id, held.created_at
      from public.listings as held cross join watch.home_of(held.listing_id) as home
      where held.user_id = person and held.created_at > at - interval '30 days' and (
        search = any (held.search_ids) or exists (
          select from public.left_outs
          where left_outs.user_id = person and left_outs.listing_id = held.listing_id and left_outs.search_id = search
        )
      )
      order by home.home_id, held.created_at desc, held.listing_id desc
    ) as homes
    order by created_at desc limit 500
  ) as held
  left join lateral (
    select * from watch.portal_listings as portal where portal.listing_id = held.listing_id limit 1
  ) as met on true
  left join watch.mail_listings as mailed on mailed.user_id = person and mailed.listing_id = held.listing_id
  cross join lateral (
    select said.said, met.words, coalesce(met.place_id, watch.text_in(said.said -> 'placeId', 120)) as place_id,
      coalesce(met.price_per_m2_eur, watch.per_m2(mailed.price_eur, watch.amount_in(said.said -> 'areaM2'))) as per_m2
    from (
      select coalesce(jsonb_strip_nulls(mailed.listing), '{}') || case
        when jsonb_typeof(met.listing) = 'object'
        then jsonb_strip_nulls(met.listing) || jsonb_build_object('warnings', met.warnings) || case
          when jsonb_typeof(met.listing #> '{amenities,private-advertiser}') = 'boolean'
          then jsonb_build_object('isPrivate', met.listing #> '{amenities,private-advertiser}') else '{}'
        end
        else '{}'
      end as said
    ) as said
    offset 0
  ) as facts
  left join public.market_figures as figures
    on figures.place_id = facts.place_id and figures.operation = facts.said ->> 'operation' and figures.size_band = 'all'
    and facts.said ->> 'kind' = 'homes' and facts.per_m2 is not null;
$$;

create function public.my_past_homes(search_id uuid) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return watch.past_homes(private.require_caller(), my_past_homes.search_id, now());
end;
$$;
comment on function public.my_past_homes(uuid) is
  'What a search of the caller found or left out in the last 30 days, for trying out rules: PastHome[].';

-- How many homes a search left out, or all searches together, by the calendar of Spain: LeftOutCounts in
-- src/core/finds/find.ts. A home counts once, however many listings it has and searches left it out.
create function watch.left_out_counts(person uuid, search uuid, at timestamptz) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'today', count(*) filter (where last_day >= today),
    'week', count(*) filter (where last_day > today - 7),
    'month', count(*) filter (where last_day > today - 30)
  )
  from (
    select max((left_outs.left_out_at at time zone 'Europe/Madrid')::date) as last_day
    from public.left_outs cross join watch.home_of(left_outs.listing_id) as home
    where left_outs.user_id = person and (search is null or left_outs.search_id = search)
      and left_outs.left_out_at > at - interval '31 days'
    group by home.home_id
  ) as homes
  cross join (select (at at time zone 'Europe/Madrid')::date as today) as spain;
$$;

create function public.my_left_out_counts(search_id uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return watch.left_out_counts(private.require_caller(), my_left_out_counts.search_id, now());
end;
$$;
comment on function public.my_left_out_counts(uuid) is
  'How many homes the rules of a search of the caller left out, or of all searches: LeftOutCounts.';

-- The searches that left the home out have found it from now on, and its alert is sent to their chats.
create function watch.bring_back(person uuid, meant_id text, at timestamptz) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  returned uuid[];
begin
  perform private.lock_person(person);
  with ended as (
    update public.left_outs set returned_at = at
    where user_id = person and listing_id = meant_id and returned_at is null
    returning search_id, payload
  ), alerted as (
    insert into watch.alerts as held (
      user_id, chat_id, kind, listing_id, payload, seen_at, not_before, created_at, search_ids
    )
    select person, chats.chat_id, 'new', meant_id, (array_agg(ended.payload))[1], null, at, at,
      array_agg(saved.id order by saved.id)
    from ended join public.searches as saved on saved.id = ended.search_id
    cross join unnest(saved.receiver_ids) as named (chat_id)
    join public.chats on chats.user_id = person and chats.chat_id = named.chat_id::bigint and chats.state = 'connected'
    group by chats.chat_id order by chats.chat_id
    on conflict (user_id, chat_id, listing_id) where kind in ('new', 'readvertised') do nothing
  )
  select array_agg(search_id) into returned from ended;
  if returned is null then
    return false;
  end if;
  update public.listings set search_ids = watch.joined_ids(search_ids, returned)
  where user_id = person and listing_id = meant_id;
  return true;
end;
$$;

create function public.bring_back(listing_id text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  advert text;
begin
  perform private.require_own_find(me, bring_back.listing_id);
  foreach advert in array watch.own_adverts(me, bring_back.listing_id) loop
    perform watch.bring_back(me, advert, now());
  end loop;
end;
$$;
comment on function public.bring_back(text) is 'Treats a home that rules of the caller left out as found, and sends its alert.';

revoke execute on all functions in schema watch from public;
revoke execute on function public.my_past_homes(uuid), public.my_left_out_counts(uuid), public.bring_back(text) from public, anon;
grant execute on function public.my_past_homes(uuid), public.my_left_out_counts(uuid), public.bring_back(text) to authenticated;
