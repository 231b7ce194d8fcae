-- The functions behind the finds page. Each returns the caller's own data, in the shapes of src/core/finds/find.ts.

-- Rows may have been written by hand: a value of the wrong type counts as missing. These are inlined into the query that uses
-- them, which a search path of their own would prevent; they name nothing that it could change.
create function watch.text_in(value jsonb, longest integer) returns text
  language sql immutable
as $$
  select case when jsonb_typeof(value) = 'string' then nullif(btrim(left(value #>> '{}', longest)), '') end
$$;

-- Accepts 1449, "1.449 €" and "27 m²", as src/core/listing/amount.ts does. Digits and spaces are listed because the classes
-- depend on the locale of the database.
create function watch.amount_in(value jsonb) returns double precision
  language sql immutable
as $$
  select case jsonb_typeof(value)
    when 'number' then case when value::numeric > 0 and value::numeric < 1e10 then value::double precision end
    when 'string' then nullif(regexp_replace(
      coalesce(substring(left(value #>> '{}', 40) from '^[ \u00a0\u202f]*€?[ \u00a0\u202f]*'
        '([0-9]{1,3}(?:[., \u00a0\u202f][0-9]{3}){1,2}|[0-9]{1,9})[ \u00a0\u202f]*(?:€|m²)?[ \u00a0\u202f]*$'), '0'),
      '[^0-9]', '', 'g'
    )::double precision, 0)
  end
$$;

create function watch.count_in(value jsonb) returns integer
  language sql immutable
as $$
  select case
    when jsonb_typeof(value) = 'number' and value::numeric between 0 and 999 and value::numeric % 1 = 0 then value::integer
    when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^\s*\d{1,3}\s*$' then (value #>> '{}')::integer
  end
$$;

create function watch.web_address_in(value jsonb) returns text
  language sql immutable
as $$
  select case
    when jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 1000 and value #>> '{}' ~ '^https?://[^\s"<>\\]+$'
    then value #>> '{}'
  end
$$;

-- Rounds like pricePerM2Of in src/core/listing/market.ts. Not with round(), which rounds a half to the even number.
create function watch.per_m2(price_eur double precision, area_m2 double precision) returns double precision
  language sql immutable
as $$
  select case when price_eur / nullif(area_m2, 0) >= 100 then floor(price_eur / nullif(area_m2, 0) + 0.5)
    else floor(price_eur / nullif(area_m2, 0) * 10 + 0.5) / 10 end
$$;

-- Rounds like comparisonOf in src/core/listing/market.ts.
create function watch.percent_above(per_m2 double precision, median_per_m2 double precision) returns double precision
  language sql immutable
as $$
  select floor((per_m2 / median_per_m2 - 1) * 100 + 0.5)
$$;

create function watch.require_find_filter(filter jsonb) returns jsonb
  language plpgsql immutable set search_path = ''
as $$
declare
  mistake text;
begin
  if filter is null or jsonb_typeof(filter) <> 'object' then
    raise exception 'The filter is an object' using errcode = '22023';
  end if;
  select key into mistake from jsonb_each(filter) as asked (key, value)
  where not case key
    when 'searchId' then jsonb_typeof(value) = 'string'
      and value #>> '{}' ~ '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'
    when 'state' then value <@ '["new", "kept", "hidden", "cheaper", "gone", "back", "left-out"]' and jsonb_typeof(value) = 'string'
    when 'zone' then jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[A-Za-z0-9:-]{1,120}$'
    when 'order' then value <@ '["newest", "price", "price-per-m2", "cheaper-than-zone"]' and jsonb_typeof(value) = 'string'
    when 'minPriceEur' then jsonb_typeof(value) = 'number' and value::numeric between 0 and 1e10
    when 'maxPriceEur' then jsonb_typeof(value) = 'number' and value::numeric between 0 and 1e10
    else false
  end limit 1;
  if mistake is not null then
    raise exception 'The filter has an unknown key or value: %', left(mistake, 40) using errcode = '22023';
  end if;
  return filter;
end;
$$;

-- A home found for a person, represented by its latest listing.
create type watch.found_home as (
  home_id text, listing_id text, adverts text[], found_at timestamptz, mark text, note text, gone_at timestamptz,
  price_eur double precision, former_price_eur double precision, place_id text, sort_key double precision
);

-- The homes found for a person that match the filter, each by its latest listing; `among` limits it to these listings.
-- Callers may not use the state "any". `limit 1` makes the planner look each listing up by its key instead of scanning
-- all of them.
create function watch.found_homes(person uuid, filter jsonb, among text[] default null) returns setof watch.found_home
  language sql stable set search_path = ''
as $$
  with adverts as (
    select held.listing_id, held.created_at, marks.mark, marks.note,
      coalesce(met.home_id, held.listing_id) as home_id,
      coalesce(met.place_id, watch.text_in(mailed.listing -> 'placeId', 120)) as place_id,
      case
        when mailed.sent_at > met.last_seen_at then mailed.price_eur
        when met.home_id is not null then met.price_eur
        else coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      end as price_eur,
      coalesce(met.former_price_eur, watch.amount_in(mailed.listing -> 'formerPriceEur')) as former_price_eur, met.back_at,
      case when met.gone_at >= coalesce(mailed.sent_at, met.gone_at) then met.gone_at end as gone_at,
      case filter ->> 'order'
        when 'price-per-m2' then coalesce(
          met.price_per_m2_eur,
          watch.per_m2(
            coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price')),
            coalesce(watch.amount_in(mailed.listing -> 'areaM2'), watch.amount_in(held.details -> 'size'))
          )
        )
        -- All zones at once: a subquery per listing would scan them each time.
        when 'cheaper-than-zone' then case when met.listing ->> 'kind' = 'homes' then met.price_per_m2_eur / (
          (
            select jsonb_object_agg(figures.place_id || ' ' || figures.operation, figures.median_per_m2_eur)
            from public.market_figures as figures where figures.size_band = 'all'
          ) ->> (met.place_id || ' ' || (met.listing ->> 'operation'))
        )::double precision end
      end as sort_key,
      -- Left out by the search that is asked about, or by any; and found by none.
      coalesce(out_of.is_of_search, false) as is_left_out, out_of.listing_id is not null and held.search_ids = '{}' as is_out,
      case
        when not filter ? 'searchId' then true
        when filter ->> 'state' = 'left-out' then coalesce(out_of.is_of_search, false)
        else (filter ->> 'searchId')::uuid = any (held.search_ids)
      end as is_of_search
    from public.listings as held
    left join lateral (
      select * from watch.portal_listings as portal where portal.listing_id = held.listing_id limit 1
    ) as met on true
    left join watch.mail_listings as mailed on mailed.user_id = person and mailed.listing_id = held.listing_id
    left join public.marks on marks.user_id = person and marks.listing_id = held.listing_id
    left join (
      select listing_id, bool_or(not filter ? 'searchId' or search_id = (filter ->> 'searchId')::uuid) as is_of_search
      from public.left_outs where user_id = person and returned_at is null group by listing_id
    ) as out_of on out_of.listing_id = held.listing_id
    where held.user_id = person and (among is null or held.listing_id = any (among))
  ), homes as (
    select adverts.*,
      row_number() over newest as place,
      array_agg(adverts.listing_id) over home as all_adverts,
      min(adverts.created_at) over home as first_found_at,
      -- One hidden listing hides the home.
      case
        when bool_or(adverts.mark = 'hidden') over home then 'hidden' when bool_or(adverts.mark = 'kept') over home then 'kept'
      end as home_mark,
      max(adverts.note) over home as home_note,
      case when bool_and(adverts.gone_at is not null) over home then max(adverts.gone_at) over home end as home_gone_at,
      bool_or(adverts.is_of_search) over home as is_asked,
      bool_or(adverts.is_left_out) over home as home_is_left_out,
      bool_and(adverts.is_out) over home as home_is_out,
      count(*) over home > 1 or adverts.back_at is not null as is_back
    from adverts
    window newest as (partition by adverts.home_id order by adverts.created_at desc, adverts.listing_id desc),
      home as (
        partition by adverts.home_id order by adverts.created_at desc, adverts.listing_id desc
        rows between unbounded preceding and unbounded following
      )
  )
  select home_id, listing_id, all_adverts, first_found_at, home_mark, home_note, home_gone_at, price_eur,
    case when former_price_eur > price_eur then former_price_eur end, place_id,
    -- All ascending; homes without a value come last.
    coalesce(
      case coalesce(filter ->> 'order', 'newest')
        when 'newest' then -extract(epoch from created_at) * 1000000
        when 'price' then price_eur
        else sort_key
      end,
      9e15
    )
  from homes
  where place = 1 and is_asked
    and case filter ->> 'state'
      when 'any' then true
      when 'left-out' then home_mark is null and home_is_left_out
      when 'hidden' then home_mark = 'hidden'
      when 'kept' then home_mark = 'kept'
      else home_mark is distinct from 'hidden' and (not home_is_out or home_mark = 'kept') and case filter ->> 'state'
        when 'cheaper' then former_price_eur > price_eur
        when 'gone' then home_gone_at is not null
        when 'back' then is_back
        when 'new' then home_mark is null and home_gone_at is null and not is_back
          and coalesce(former_price_eur <= price_eur, true)
        else true
      end
    end
    and (filter ->> 'zone' is null or place_id = filter ->> 'zone' or starts_with(place_id, filter ->> 'zone' || '-'))
    and (filter ->> 'minPriceEur' is null or price_eur >= (filter ->> 'minPriceEur')::double precision)
    and (filter ->> 'maxPriceEur' is null or price_eur <= (filter ->> 'maxPriceEur')::double precision);
$$;

-- The known travel times from a home with these facts to the person's places: TravelTime[].
create function watch.travel_times_of(person uuid, said jsonb) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'placeId', ways.place_id, 'footMinutes', ways.foot_minutes, 'bicycleMinutes', ways.bicycle_minutes
  )), '[]')
  from public.own_places as place join watch.travel_times as ways on ways.place_id = place.id
  where place.user_id = person
    and ways.latitude = case when jsonb_typeof(said -> 'latitude') = 'number'
      then round((said ->> 'latitude')::numeric, 4)::double precision end
    and ways.longitude = case when jsonb_typeof(said -> 'longitude') = 'number'
      then round((said ->> 'longitude')::numeric, 4)::double precision end;
$$;

-- The homes as cards in the given order, in one query.
create function watch.find_cards(person uuid, homes watch.found_home[]) returns setof jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'listingId', held.listing_id,
    'homeId', home.home_id,
    'url', coalesce(
      watch.web_address_in(facts.said -> 'url'), watch.web_address_in(held.details -> 'url'),
      watch.web_address_in(held.details -> 'link'), watch.web_address_in(held.details -> 'href'),
      case when held.listing_id ~ '^\d+$' then 'https://www.idealista.com/inmueble/' || held.listing_id || '/' end,
      ''
    ),
    'title', coalesce(watch.text_in(facts.said -> 'title', 300), watch.text_in(held.details -> 'title', 300)),
    'operation', case when facts.said ->> 'operation' in ('sale', 'rent') then facts.said -> 'operation' end,
    'kind', watch.text_in(facts.said -> 'kind', 40),
    'typology', watch.text_in(facts.said -> 'typology', 60),
    'subTypology', watch.text_in(facts.said -> 'subTypology', 60),
    'priceEur', home.price_eur,
    'formerPriceEur', home.former_price_eur,
    'pricePerM2Eur', asked.per_m2,
    'comparison', case when figures.place_id is not null then jsonb_build_object(
      'percent', watch.percent_above(asked.per_m2, figures.median_per_m2_eur),
      'samples', figures.seen_count, 'place', figures.place_name
    ) end,
    'areaM2', asked.area_m2,
    'rooms', coalesce(
      watch.count_in(facts.said -> 'rooms'), watch.count_in(held.details -> 'rooms'), watch.count_in(held.details -> 'bedrooms')
    ),
    'bathrooms', watch.count_in(facts.said -> 'bathrooms'),
    'floor', watch.text_in(facts.said -> 'floor', 20),
    'hasLift', case when jsonb_typeof(facts.said -> 'hasLift') = 'boolean' then facts.said -> 'hasLift' end,
    'isExterior', case when jsonb_typeof(facts.said -> 'isExterior') = 'boolean' then facts.said -> 'isExterior' end,
    'isPrivate', case when jsonb_typeof(facts.said -> 'isPrivate') = 'boolean' then facts.said -> 'isPrivate' end,
    'address', coalesce(watch.text_in(facts.said -> 'address', 300), watch.text_in(held.details -> 'address', 300)),
    'neighborhood', watch.text_in(facts.said -> 'neighborhood', 120),
    'district', watch.text_in(facts.said -> 'district', 120),
    'municipality', coalesce(
      watch.text_in(facts.said -> 'municipality', 120), watch.text_in(held.details -> 'location', 300)
    ),
    'placeId', case when asked.place_id not like 'name:%' then asked.place_id end,
    'latitude', case when jsonb_typeof(facts.said -> 'latitude') = 'number' then facts.said -> 'latitude' end,
    'longitude', case when jsonb_typeof(facts.said -> 'longitude') = 'number' then facts.said -> 'longitude' end,
    'isAddressShown', facts.said -> 'isAddressShown' is not distinct from 'true'::jsonb,
    'pictureUrl', coalesce(
      watch.web_address_in(facts.said -> 'thumbnailUrl'), watch.web_address_in(facts.said -> 'pictureUrl'),
      watch.web_address_in(met.photos -> 0)
    ),
    'photoCount', greatest(
      coalesce(watch.count_in(facts.said -> 'photoCount'), 0),
      case when jsonb_typeof(met.photos) = 'array' then jsonb_array_length(met.photos) else 0 end
    ),
    'searchIds', (
      select coalesce(jsonb_agg(saved.id order by saved.is_first desc, saved.created_at, saved.id), '[]')
      from public.searches as saved
      where saved.user_id = person and exists (
        select from public.listings as advert
        where advert.user_id = person and advert.listing_id = any (home.adverts)
          and saved.id = any (advert.search_ids)
      )
    ),
    'foundAt', home.found_at,
    'lastSeenAt', sight.last_at,
    'notSeenSince', case
      when home.gone_at is null and sight.last_at < now() - coalesce(sight.patience, interval '1 day') then sight.last_at
    end,
    'goneAt', home.gone_at,
    'mark', home.mark,
    'note', home.note,
    -- The searches that left it out, each with its rule.
    'leftOutBy', (
      select coalesce(
        jsonb_agg(jsonb_build_object('searchId', left_outs.search_id, 'rule', left_outs.rule) order by left_outs.search_id), '[]'
      )
      from public.left_outs
      where left_outs.user_id = person and left_outs.listing_id = any (home.adverts) and left_outs.returned_at is null
    ),
    'advertCount', cardinality(home.adverts),
    'travelTimes', watch.travel_times_of(person, facts.said),
    'warnings', (
      select coalesce(jsonb_agg(warning order by place), '[]')
      from jsonb_array_elements(
        case when jsonb_typeof(facts.said -> 'warnings') = 'array' then facts.said -> 'warnings' else '[]' end
      ) with ordinality as told (warning, place)
      where not exists (
        select from public.find_settings as settings
        where settings.user_id = person and told.warning ->> 'kind' = any (settings.hidden_warnings)
      )
    )
  )
  from unnest(homes) with ordinality as home
  join public.listings as held on held.user_id = person and held.listing_id = home.adverts[1]
  left join lateral (
    select * from watch.portal_listings as portal where portal.listing_id = held.listing_id limit 1
  ) as met on true
  left join watch.mail_listings as mailed on mailed.user_id = person and mailed.listing_id = held.listing_id
  cross join lateral (
    select coalesce(jsonb_strip_nulls(mailed.listing), '{}') || case
      when jsonb_typeof(met.listing) = 'object' then jsonb_strip_nulls(met.listing) || jsonb_build_object('warnings', met.warnings)
      else '{}'
    end as said
    offset 0
  ) as facts
  cross join lateral (
    select coalesce(watch.amount_in(facts.said -> 'areaM2'), watch.amount_in(held.details -> 'size')) as area_m2,
      coalesce(met.place_id, watch.text_in(facts.said -> 'placeId', 120)) as place_id
    offset 0
  ) as known
  cross join lateral (
    select known.area_m2, known.place_id, watch.per_m2(home.price_eur, known.area_m2) as per_m2 offset 0
  ) as asked
  cross join lateral (
    -- A feed saw a listing in the last check that did not miss it. Two checks may fail before that is worth a warning. What no
    -- feed reads was seen in a mail, or before its search was paused.
    select greatest(
        met.last_seen_at, mailed.sent_at, max(feeds.last_ok_at - seen.missed * feeds.interval_seconds * interval '1 second')
      ) as last_at,
      case when count(*) > 0 then greatest(interval '1 hour', max(feeds.interval_seconds) * interval '3 seconds') end as patience
    from watch.feed_listings as seen join watch.feeds on feeds.key = seen.feed_key
    where seen.listing_id = held.listing_id and seen.gone_at is null
  ) as sight
  left join public.market_figures as figures
    on figures.place_id = asked.place_id and figures.operation = facts.said ->> 'operation' and figures.size_band = 'all'
    and facts.said ->> 'kind' = 'homes' and asked.per_m2 is not null
  order by home.ordinality;
$$;

-- The first page also lists the zones of all finds, so that a person can choose one of a later page.
create function public.my_finds(
  filter jsonb default '{}', after text default null, page_size integer default 24
) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  asked constant jsonb := watch.require_find_filter(filter);
  sort_order constant text := coalesce(asked ->> 'order', 'newest');
  -- The order, the sort key and the home at the end of the previous page.
  begin_after constant text[] := regexp_match(
    after, '^(newest|price|price-per-m2|cheaper-than-zone) (-?\d{1,17}(?:\.\d{1,17})?(?:e[+-]?\d{1,2})?) (.{1,64})$'
  );
begin
  if page_size is null or page_size not between 1 and 60 then
    raise exception 'A page has 1 to 60 finds' using errcode = '22023';
  end if;
  if after is not null and begin_after[1] is distinct from sort_order then
    raise exception 'The cursor is not one of ours for this order' using errcode = '22023';
  end if;
  return (
    with homes as materialized (
      select * from watch.found_homes(me, asked)
    ), page as materialized (
      select * from homes
      where after is null or (sort_key, home_id collate "C") > (begin_after[2]::double precision, begin_after[3])
      order by sort_key, home_id collate "C" limit page_size + 1
    ), shown as materialized (
      select * from page order by sort_key, home_id collate "C" limit page_size
    )
    select jsonb_build_object(
      'finds', (
        select coalesce(jsonb_agg(card order by place), '[]')
        from watch.find_cards(
          me, array(select row(shown.*)::watch.found_home from shown order by sort_key, home_id collate "C")
        ) with ordinality as told (card, place)
      ),
      'next', case when (select count(*) from page) > page_size then (
        select sort_order || ' ' || sort_key || ' ' || home_id from shown order by sort_key desc, home_id collate "C" desc limit 1
      ) end,
      'count', case when after is null then (select count(*) from homes) end,
      -- The names of each zone, from one of its homes.
      'zones', case when after is null then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'placeId', zone.place_id,
          'neighborhood', watch.text_in(facts.said -> 'neighborhood', 120),
          'district', watch.text_in(facts.said -> 'district', 120),
          'municipality', watch.text_in(facts.said -> 'municipality', 120)
        ) order by zone.place_id), '[]')
        from (
          select distinct on (place_id) place_id, listing_id from homes
          where place_id not like 'name:%' order by place_id, listing_id limit 500
        ) as zone
        cross join lateral (
          select coalesce((
            select jsonb_strip_nulls(mailed.listing) from watch.mail_listings as mailed
            where mailed.user_id = me and mailed.listing_id = zone.listing_id
          ), '{}') || coalesce((
            select jsonb_strip_nulls(portal.listing) from watch.portal_listings as portal
            where portal.listing_id = zone.listing_id and jsonb_typeof(portal.listing) = 'object' limit 1
          ), '{}') as said
          offset 0
        ) as facts
      ) end
    )
  );
end;
$$;
comment on function public.my_finds(jsonb, text, integer) is 'A page of the homes found for the caller: FindPage.';

create function public.my_find_points(filter jsonb default '{}') returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  asked constant jsonb := watch.require_find_filter(filter) - 'order';
begin
  return (
    with points as materialized (
      select newest.listing_id, newest.price_eur, newest.mark, newest.gone_at is not null as is_gone,
        case when newest.place_id not like 'name:%' then newest.place_id end as place_id,
        -- A metre is exact enough; more digits double the size of the answer.
        case when jsonb_typeof(met.latitude) = 'number' then trim_scale(round(met.latitude::numeric, 5)) end as latitude,
        case when jsonb_typeof(met.longitude) = 'number' then trim_scale(round(met.longitude::numeric, 5)) end as longitude,
        met.is_address_shown is not distinct from 'true'::jsonb as is_address_shown
      from (
        select * from watch.found_homes(me, asked) order by sort_key, home_id collate "C" limit 5000
      ) as newest
      left join lateral (
        select portal.listing -> 'latitude' as latitude, portal.listing -> 'longitude' as longitude,
          portal.listing -> 'isAddressShown' as is_address_shown
        from watch.portal_listings as portal where portal.listing_id = newest.listing_id limit 1
      ) as met on true
      order by newest.sort_key, newest.home_id collate "C"
    )
    -- A list for each field has half the size of a list of objects, and two thirds of it compressed.
    select jsonb_build_object(
      'listingId', array(select listing_id from points), 'latitude', array(select latitude from points),
      'longitude', array(select longitude from points), 'isAddressShown', array(select is_address_shown from points),
      'placeId', array(select place_id from points), 'priceEur', array(select price_eur from points),
      'mark', array(select mark from points), 'isGone', array(select is_gone from points)
    )
  );
end;
$$;
comment on function public.my_find_points(jsonb) is 'Where the homes found for the caller are, newest first: FindPointLists.';

-- The listings of the same home that were found for the person, latest first; null if this one was not.
create function watch.own_adverts(person uuid, meant_id text) returns text[]
  language sql stable set search_path = ''
as $$
  select array_agg(held.listing_id order by held.created_at desc, held.listing_id desc)
  from (
    select meant_id as listing_id
    union
    select other.listing_id from watch.portal_listings as this
    join watch.portal_listings as other on other.home_id = this.home_id where this.listing_id = meant_id
  ) as advert
  join public.listings as held on held.user_id = person and held.listing_id = advert.listing_id
  where exists (select from public.listings as asked where asked.user_id = person and asked.listing_id = meant_id);
$$;

-- Compiling it takes seconds. Our own connections compile nothing, but those of a hosted Supabase do.
create function public.my_find(listing_id text) returns jsonb
  language plpgsql stable security definer set search_path = '' set jit = off
as $$
declare
  me constant uuid := private.require_caller();
  own constant text[] := watch.own_adverts(me, my_find.listing_id);
begin
  return (
    with home as materialized (
      select * from watch.found_homes(me, '{"state": "any"}', coalesce(own, '{}'))
    ), adverts as materialized (
      -- Listings that any feed has met, and those that only a mail or a hand-written row brought to the caller.
      select portal.listing_id, portal.listing -> 'url' as url, portal.first_seen_at, portal.last_seen_at, portal.gone_at,
        portal.price_eur
      from home cross join lateral (
        select * from watch.portal_listings as met where met.home_id = home.home_id
        order by met.first_seen_at desc, met.listing_id limit 50
      ) as portal
      union all
      select held.listing_id, coalesce(mailed.listing -> 'url', held.details -> 'url'), held.created_at,
        coalesce(mailed.sent_at, held.created_at), null, coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      from home join public.listings as held on held.user_id = me and held.listing_id = any (home.adverts)
      left join watch.mail_listings as mailed on mailed.user_id = me and mailed.listing_id = held.listing_id
      where (select met.listing_id from watch.portal_listings as met where met.listing_id = held.listing_id limit 1) is null
    ), card as materialized (
      select told.card, home.listing_id, home.place_id from home
      cross join lateral watch.find_cards(me, array[row(home.*)::watch.found_home]) as told (card)
    )
    select card.card || jsonb_build_object(
      'prices', (
        select coalesce(jsonb_agg(jsonb_build_object('seenAt', seen_at, 'priceEur', price_eur) order by seen_at), '[]')
        from (
          select priced.seen_at, priced.price_eur from adverts cross join lateral (
            select * from watch.prices where prices.listing_id = adverts.listing_id order by prices.seen_at desc limit 500
          ) as priced
          union all
          select adverts.last_seen_at, adverts.price_eur from adverts
          where adverts.price_eur is not null
            and (select prices.seen_at from watch.prices where prices.listing_id = adverts.listing_id limit 1) is null
          order by seen_at desc limit 500
        ) as priced
      ),
      'adverts', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'listingId', latest.listing_id, 'url', coalesce(
                watch.web_address_in(latest.url), 'https://www.idealista.com/inmueble/' || latest.listing_id || '/'
              ), 'firstSeenAt', latest.first_seen_at, 'lastSeenAt', latest.last_seen_at, 'goneAt', latest.gone_at,
              'priceEur', latest.price_eur
            ) order by latest.first_seen_at, latest.listing_id
          ),
          '[]'
        )
        from (
          select * from adverts where price_eur is not null order by first_seen_at desc, listing_id desc limit 50
        ) as latest
      ),
      'photos', (
        select coalesce(jsonb_agg(photo order by place), '[]')
        from watch.portal_listings as portal cross join lateral jsonb_array_elements(
          case when jsonb_typeof(portal.photos) = 'array' then portal.photos else '[]' end
        ) with ordinality as told (photo, place)
        where portal.listing_id = card.listing_id and watch.web_address_in(told.photo) is not null and told.place <= 60
      ),
      'zonePricesPerM2', coalesce(to_jsonb(figures.prices_per_m2_eur), '[]'),
      'zoneCount', coalesce(figures.seen_count, 0)
    )
    from card
    left join public.market_figures as figures on card.card -> 'comparison' <> 'null'
      and figures.place_id = card.place_id and figures.operation = card.card ->> 'operation' and figures.size_band = 'all'
  );
end;
$$;
comment on function public.my_find(text) is 'The details of one home that was found for the caller: FindDetails.';

-- Hides, keeps or (null) unmarks a home for a person, with all its listings that were found for them. Messages about it
-- are edited; in the chat where the button was pressed, only after the bot has changed the buttons
-- (watch.edit_messages).
create function watch.mark_home(
  person uuid, meant_id text, new_mark text, at timestamptz, said_in bigint default null
) returns void
  language plpgsql set search_path = ''
as $$
declare
  meant constant text[] := watch.own_adverts(person, meant_id) || meant_id;
begin
  -- Two people who keep a home at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || (select home_id from watch.home_of(meant_id)), 0));
  if new_mark is null then
    update public.marks set mark = null, chat_id = null, updated_at = at
    where user_id = person and listing_id = any (meant) and note is not null and mark is not null;
    delete from public.marks where user_id = person and listing_id = any (meant) and note is null;
  else
    insert into public.marks (user_id, listing_id, mark, created_at, updated_at)
    select distinct person, id, new_mark, at, at from unnest(meant) as id order by id
    on conflict (user_id, listing_id) do update set mark = excluded.mark, updated_at = excluded.updated_at;
  end if;

  -- A chat's mark is shown until another mark is set anywhere.
  update watch.alerts set chat_mark = case when chat_id = said_in then new_mark end
  where chat_id in (select chats.chat_id from public.chats where chats.user_id = person)
    and listing_id = any (meant) and user_id = person
    and chat_mark is distinct from case when chat_id = said_in then new_mark end
    and (chat_id = said_in or chat_mark is distinct from new_mark);
  update watch.alerts set edit_due_at = 'infinity', edit_until = null, edit_attempts = 0
  where chat_id = said_in and listing_id = any (meant) and user_id = person and state in ('sent', 'merged')
    and message_id is not null;
  perform watch.schedule_edits(person, meant, at, said_in);
  if new_mark = 'kept' then
    perform watch.announce_kept(person, meant_id, meant, at);
  end if;
end;
$$;

-- Edits the messages that waited for this chat's buttons.
create function watch.edit_messages(chat bigint, at timestamptz) returns void
  language plpgsql set search_path = ''
as $$
begin
  update watch.alerts set edit_due_at = at where edit_due_at = 'infinity' and chat_id = chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$$;

-- The note is stored with this listing only, not with others of the same home. Null removes it.
create function watch.note_home(
  person uuid, meant_id text, new_note text, at timestamptz, said_in bigint default null
) returns void
  language plpgsql set search_path = ''
as $$
declare
  meant constant text[] := watch.own_adverts(person, meant_id) || meant_id;
begin
  update public.marks set note = null, updated_at = at
  where user_id = person and listing_id = any (meant) and (listing_id <> meant_id or new_note is null)
    and note is not null and mark is not null;
  delete from public.marks
  where user_id = person and listing_id = any (meant) and (listing_id <> meant_id or new_note is null) and mark is null;
  if new_note is not null then
    insert into public.marks (user_id, listing_id, note, created_at, updated_at) values (person, meant_id, new_note, at, at)
    on conflict (user_id, listing_id) do update set note = excluded.note, updated_at = excluded.updated_at;
  end if;
  perform watch.schedule_edits(person, meant, at, said_in);
end;
$$;

-- Nobody scrolls back further than a week. An alert may have waited two days before it was sent.
create function watch.schedule_edits(person uuid, listings text[], at timestamptz, but_chat bigint) returns void
  language plpgsql set search_path = ''
as $$
begin
  update watch.alerts set edit_due_at = at, edit_until = null, edit_attempts = 0
  where user_id = person and listing_id = any (listings) and state in ('sent', 'merged') and message_id is not null
    and created_at > at - interval '9 days' and sent_at > at - interval '7 days' and chat_id is distinct from but_chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$$;

create function private.require_own_find(person uuid, meant_id text) returns void
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select from public.listings where user_id = person and listing_id = meant_id) then
    raise exception 'That home was not found for you' using errcode = 'PT404', detail = 'no-such-find';
  end if;
end;
$$;

create function public.mark_find(listing_id text, mark text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
begin
  perform private.require_own_find(me, mark_find.listing_id);
  if mark_find.mark not in ('kept', 'hidden') then
    raise exception 'A home is kept, hidden or neither' using errcode = '22023';
  end if;
  perform watch.mark_home(me, mark_find.listing_id, mark_find.mark, now());
end;
$$;
comment on function public.mark_find(text, text) is 'Keeps or hides a home that was found for the caller; null undoes it.';

create function public.note_find(listing_id text, note text default null) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_caller();
  said constant text := nullif(btrim(note_find.note, E' \t\r\n'), '');
begin
  perform private.require_own_find(me, note_find.listing_id);
  if char_length(said) > 2000 then
    raise exception 'A note has at most 2,000 characters' using errcode = '22023', detail = 'note-too-long';
  end if;
  perform watch.note_home(me, note_find.listing_id, case when said ~ '\S' then said end, now());
end;
$$;
comment on function public.note_find(text, text) is
  'The caller''s own note on a home that was found for them; null or blank removes it.';

-- Whether a running feed or the person's own alert mails can see a listing, so that its changes can be reported.
create function watch.can_see(person uuid, meant_id text) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from watch.feed_listings join watch.feeds on feeds.key = feed_listings.feed_key
    where feed_listings.listing_id = meant_id and feed_listings.gone_at is null and feeds.idle_since is null
  ) or exists (
    select from watch.mail_listings as mailed
    where mailed.user_id = person and mailed.listing_id = meant_id and watch.is_served_by_mail(person)
  );
$$;

-- Keeps a listing whose link a person has. At most a hundred of them may be listings that were not found for the person.
create function watch.watch_listing(person uuid, meant_id text, said_in bigint, at timestamptz) returns text
  language plpgsql set search_path = ''
as $$
begin
  perform private.lock_person(person);
  if not watch.can_see(person, meant_id) then
    return 'not-seen';
  end if;
  if 100 <= (
    select count(*) from public.marks
    where marks.user_id = person and marks.mark = 'kept' and marks.listing_id <> meant_id and not exists (
      select from public.listings where listings.user_id = person and listings.listing_id = marks.listing_id
    )
  ) then
    return 'too-many';
  end if;
  insert into public.marks (user_id, listing_id, mark, chat_id, created_at, updated_at)
  values (person, meant_id, 'kept', said_in, at, at)
  on conflict (user_id, listing_id) do update set
    mark = excluded.mark, chat_id = excluded.chat_id, updated_at = excluded.updated_at;
  return 'kept';
end;
$$;

create function public.watch_listing(listing_id text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  outcome constant text := watch.watch_listing(private.require_caller(), watch_listing.listing_id, null, now());
begin
  if outcome = 'not-seen' then
    raise exception 'No source sees that listing' using errcode = 'PT404', detail = 'listing-not-seen';
  elsif outcome = 'too-many' then
    raise exception 'A hundred listings are enough' using errcode = 'PT409', detail = 'too-many-listings';
  end if;
end;
$$;
comment on function public.watch_listing(text) is
  'Keeps a listing by its link, so that the caller is notified of its price cuts and its removal.';

revoke execute on all functions in schema private from public;
revoke execute on all functions in schema watch from public;
revoke execute on function public.my_finds(jsonb, text, integer), public.my_find_points(jsonb), public.my_find(text),
  public.mark_find(text, text), public.note_find(text, text), public.watch_listing(text) from public, anon;
grant execute on function public.my_finds(jsonb, text, integer), public.my_find_points(jsonb), public.my_find(text),
  public.mark_find(text, text), public.note_find(text, text), public.watch_listing(text) to authenticated;
