-- A listing has one stored card, which TypeScript writes (src/core/listing/home-card.ts): pages, rules and figures read it.

alter table watch.portal_listings add column card jsonb;
comment on column watch.portal_listings.card is 'HomeCard in src/core/listing/home-card.ts.';
update watch.portal_listings set card = jsonb_build_object(
  'url', coalesce(listing -> 'url', to_jsonb('https://www.idealista.com/inmueble/' || listing_id || '/')),
  'title', listing -> 'title', 'operation', listing -> 'operation', 'kind', listing -> 'kind', 'typology', listing -> 'typology',
  'subTypology', listing -> 'subTypology', 'priceEur', price_eur, 'pricePerM2Eur', price_per_m2_eur,
  'areaM2', listing -> 'areaM2', 'rooms', listing -> 'rooms', 'bathrooms', listing -> 'bathrooms', 'floor', listing -> 'floor',
  'hasLift', listing -> 'hasLift', 'isExterior', listing -> 'isExterior',
  'isPrivate', listing #> '{amenities,private-advertiser}', 'isAuction', null,
  'address', listing -> 'address', 'neighborhood', listing -> 'neighborhood', 'district', listing -> 'district',
  'municipality', listing -> 'municipality', 'placeId', case when place_id not like 'name:%' then place_id end,
  'latitude', listing -> 'latitude', 'longitude', listing -> 'longitude',
  'isAddressShown', coalesce(listing -> 'isAddressShown', 'false'), 'pictureUrl', coalesce(listing -> 'thumbnailUrl', 'null'),
  'photoCount', greatest(
    coalesce(watch.count_in(listing -> 'photoCount'), 0),
    case when jsonb_typeof(photos) = 'array' then jsonb_array_length(photos) else 0 end
  ),
  'warnings', case when jsonb_typeof(warnings) = 'array' then warnings else '[]' end
);
alter table watch.portal_listings
  drop column warnings,
  add constraint portal_listings_card_check check (card is not null and jsonb_typeof(card) = 'object');

alter table watch.mail_listings add column card jsonb;
comment on column watch.mail_listings.card is 'HomeCard in src/core/listing/home-card.ts.';
alter table watch.mail_listings add column former_price_eur double precision;
alter table watch.mail_listings add column place_id text;
comment on column watch.mail_listings.place_id is 'As in watch.portal_listings.';
update watch.mail_listings set
  former_price_eur = watch.amount_in(listing -> 'formerPriceEur'), place_id = watch.text_in(listing -> 'placeId', 120),
  card = listing - array['propertyCode', 'comparison', 'formerPriceEur'] || jsonb_build_object(
    'placeId', case when listing ->> 'placeId' not like 'name:%' then listing -> 'placeId' end
  );
alter table watch.mail_listings
  drop column listing, add constraint mail_listings_card_check check (jsonb_typeof(card) = 'object');

-- The card of a row with only the fields of the specification.
create function watch.card_of_details(listing_id text, details jsonb) returns jsonb
  language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'url', coalesce(
      watch.web_address_in(details -> 'url'), watch.web_address_in(details -> 'link'), watch.web_address_in(details -> 'href'),
      case when listing_id ~ '^\d+$' then 'https://www.idealista.com/inmueble/' || listing_id || '/' end, ''
    ),
    'title', watch.text_in(details -> 'title', 300),
    'priceEur', watch.amount_in(details -> 'price'),
    'areaM2', watch.amount_in(details -> 'size'),
    'rooms', coalesce(watch.count_in(details -> 'rooms'), watch.count_in(details -> 'bedrooms')),
    'address', watch.text_in(details -> 'address', 300),
    'municipality', watch.text_in(details -> 'location', 300)
  );
$$;

-- `limit 1` makes the planner look each listing up by its key instead of scanning all of them.
create view watch.found_cards as
select held.user_id, held.listing_id, held.search_ids, held.created_at,
  coalesce(portal.place_id, mailed.place_id) as place_id, portal.words,
  greatest(portal.last_seen_at, mailed.sent_at) as seen_at,
  case
    when portal.card is null and mailed.card is null then watch.card_of_details(held.listing_id, held.details)
    -- A feed's facts take precedence.
    else coalesce(portal.card, mailed.card) || coalesce(jsonb_strip_nulls(mailed.card), '{}')
      || coalesce(jsonb_strip_nulls(portal.card), '{}')
  end as card
from public.listings as held
left join lateral (
  select * from watch.portal_listings as met where met.listing_id = held.listing_id limit 1
) as portal on true
left join watch.mail_listings as mailed on mailed.user_id = held.user_id and mailed.listing_id = held.listing_id;
comment on view watch.found_cards is 'The listings found for people, each with its card: from feeds, from the person''s mails, or from its row alone.';

create function watch.comparison_of(card jsonb, place_id text, per_m2 double precision) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'percent', watch.percent_above(comparison_of.per_m2, figures.median_per_m2_eur),
    'samples', figures.seen_count, 'place', figures.place_name
  )
  from public.market_figures as figures
  where figures.place_id = comparison_of.place_id and figures.operation = card ->> 'operation' and figures.size_band = 'all'
    and card ->> 'kind' = 'homes' and comparison_of.per_m2 is not null;
$$;
comment on function watch.comparison_of(jsonb, text, double precision) is
  'The price of a home compared with its zone: PriceComparison in src/core/alert/alert.ts. Null if there are no figures.';

-- The cards of homes, with what only this person has of them: FoundHome in src/core/finds/find.ts.
create function watch.shown_finds(person uuid, homes watch.found_home[]) returns setof jsonb
  language sql stable set search_path = ''
as $$
  select found.card || jsonb_build_object(
    'listingId', home.listing_id, 'homeId', home.home_id, 'priceEur', home.price_eur,
    'formerPriceEur', home.former_price_eur, 'pricePerM2Eur', asked.per_m2,
    'placeId', case when home.place_id not like 'name:%' then home.place_id end,
    'comparison', watch.comparison_of(found.card, home.place_id, asked.per_m2),
    'searchIds', (
      select coalesce(jsonb_agg(saved.id order by saved.is_first desc, saved.created_at, saved.id), '[]')
      from public.searches as saved
      where saved.user_id = person and exists (
        select from public.listings as advert
        where advert.user_id = person and advert.listing_id = any (home.adverts) and saved.id = any (advert.search_ids)
      )
    ),
    'foundAt', home.found_at,
    'lastSeenAt', sight.last_at,
    'notSeenSince', case
      when home.gone_at is null and sight.last_at < now() - coalesce(sight.patience, interval '1 day') then sight.last_at
    end,
    'goneAt', home.gone_at, 'mark', home.mark, 'note', home.note,
    -- The searches that left it out, each with its rule.
    'leftOutBy', (
      select coalesce(
        jsonb_agg(jsonb_build_object('searchId', left_outs.search_id, 'rule', left_outs.rule) order by left_outs.search_id), '[]'
      )
      from public.left_outs
      where left_outs.user_id = person and left_outs.listing_id = any (home.adverts) and left_outs.returned_at is null
    ),
    'advertCount', cardinality(home.adverts),
    'travelTimes', watch.travel_times_of(person, found.card),
    'warnings', (
      select coalesce(jsonb_agg(warning order by place), '[]')
      from jsonb_array_elements(
        case when jsonb_typeof(found.card -> 'warnings') = 'array' then found.card -> 'warnings' else '[]' end
      ) with ordinality as warnings (warning, place)
      where not exists (
        select from public.find_settings as settings
        where settings.user_id = person and warning ->> 'kind' = any (settings.hidden_warnings)
      )
    )
  )
  from unnest(homes) with ordinality as home
  join watch.found_cards as found on found.user_id = person and found.listing_id = home.listing_id
  cross join lateral (
    select watch.per_m2(home.price_eur, watch.amount_in(found.card -> 'areaM2')) as per_m2 offset 0
  ) as asked
  cross join lateral (
    -- A feed saw a listing in the last check that did not miss it. Two checks may fail before that is worth a warning. What no
    -- feed reads was seen in a mail, or before its search was paused.
    select greatest(
        found.seen_at, max(feeds.last_ok_at - seen.missed * feeds.interval_seconds * interval '1 second')
      ) as last_at,
      case when count(*) > 0 then greatest(interval '1 hour', max(feeds.interval_seconds) * interval '3 seconds') end as patience
    from watch.feed_listings as seen join watch.feeds on feeds.key = seen.feed_key
    where seen.listing_id = home.listing_id and seen.gone_at is null
  ) as sight
  order by home.ordinality;
$$;

-- What a search found or left out in the last 30 days, each home once: PastHome[] in src/core/rules/past-homes.ts.
create function watch.homes_of_search(person uuid, search uuid, at timestamptz) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'card', found.card - array['url', 'pictureUrl'] || jsonb_build_object(
      'comparison', watch.comparison_of(found.card, found.place_id, watch.amount_in(found.card -> 'pricePerM2Eur'))
    ),
    'words', found.words,
    'travelTimes', watch.travel_times_of(person, found.card)
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
  ) as newest
  join watch.found_cards as found on found.user_id = person and found.listing_id = newest.listing_id;
$$;

create or replace function public.my_past_homes(search_id uuid) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return watch.homes_of_search(private.require_caller(), my_past_homes.search_id, now());
end;
$$;

create or replace function watch.last_find_of(person uuid, search uuid) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'listing_id', newest.listing_id, 'home', found.card,
    'price_eur', watch.amount_in(newest.details -> 'price'), 'at', newest.created_at
  )
  from (
    select * from public.listings as held
    where held.user_id = person and search = any (held.search_ids)
    order by held.created_at desc limit 1
  ) as newest
  join watch.found_cards as found on found.user_id = person and found.listing_id = newest.listing_id;
$$;

CREATE OR REPLACE FUNCTION watch.found_homes(person uuid, filter jsonb, among text[] DEFAULT NULL::text[])
 RETURNS SETOF watch.found_home
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with adverts as (
    select held.listing_id, held.created_at, marks.mark, marks.note,
      coalesce(met.home_id, held.listing_id) as home_id,
      coalesce(met.place_id, mailed.place_id) as place_id,
      case
        when mailed.sent_at > met.last_seen_at then mailed.price_eur
        when met.home_id is not null then met.price_eur
        else coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      end as price_eur,
      coalesce(met.former_price_eur, mailed.former_price_eur) as former_price_eur, met.back_at,
      case when met.gone_at >= coalesce(mailed.sent_at, met.gone_at) then met.gone_at end as gone_at,
      case filter ->> 'order'
        when 'price-per-m2' then coalesce(
          met.price_per_m2_eur,
          watch.per_m2(
            coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price')),
            coalesce(watch.amount_in(mailed.card -> 'areaM2'), watch.amount_in(held.details -> 'size'))
          )
        )
        -- All zones at once: a subquery per listing would scan them each time.
        when 'cheaper-than-zone' then case when met.card ->> 'kind' = 'homes' then met.price_per_m2_eur / (
          (
            select jsonb_object_agg(figures.place_id || ' ' || figures.operation, figures.median_per_m2_eur)
            from public.market_figures as figures where figures.size_band = 'all'
          ) ->> (met.place_id || ' ' || (met.card ->> 'operation'))
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
$function$;

CREATE OR REPLACE FUNCTION public.my_find_points(filter jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
        select portal.card -> 'latitude' as latitude, portal.card -> 'longitude' as longitude,
          portal.card -> 'isAddressShown' as is_address_shown
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
$function$;

CREATE OR REPLACE FUNCTION public.my_find(listing_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := private.require_caller();
  own constant text[] := watch.own_adverts(me, my_find.listing_id);
begin
  return (
    with home as materialized (
      select * from watch.found_homes(me, '{"state": "any"}', coalesce(own, '{}'))
    ), adverts as materialized (
      -- Listings that any feed has met, and those that only a mail or a hand-written row brought to the caller.
      select portal.listing_id, portal.card -> 'url' as url, portal.first_seen_at, portal.last_seen_at, portal.gone_at,
        portal.price_eur
      from home cross join lateral (
        select * from watch.portal_listings as met where met.home_id = home.home_id
        order by met.first_seen_at desc, met.listing_id limit 50
      ) as portal
      union all
      select held.listing_id, coalesce(mailed.card -> 'url', held.details -> 'url'), held.created_at,
        coalesce(mailed.sent_at, held.created_at), null, coalesce(mailed.price_eur, watch.amount_in(held.details -> 'price'))
      from home join public.listings as held on held.user_id = me and held.listing_id = any (home.adverts)
      left join watch.mail_listings as mailed on mailed.user_id = me and mailed.listing_id = held.listing_id
      where (select met.listing_id from watch.portal_listings as met where met.listing_id = held.listing_id limit 1) is null
    ), card as materialized (
      select shown.card, home.listing_id, home.place_id from home
      cross join lateral watch.shown_finds(me, array[row(home.*)::watch.found_home]) as shown (card)
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
$function$;

CREATE OR REPLACE FUNCTION public.my_finds(filter jsonb DEFAULT '{}'::jsonb, after text DEFAULT NULL::text, page_size integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
        from watch.shown_finds(
          me, array(select row(shown.*)::watch.found_home from shown order by sort_key, home_id collate "C")
        ) with ordinality as finds (card, place)
      ),
      'next', case when (select count(*) from page) > page_size then (
        select sort_order || ' ' || sort_key || ' ' || home_id from shown order by sort_key desc, home_id collate "C" desc limit 1
      ) end,
      'count', case when after is null then (select count(*) from homes) end,
      -- The names of each zone, from one of its homes.
      'zones', case when after is null then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'placeId', zone.place_id, 'neighborhood', found.card -> 'neighborhood', 'district', found.card -> 'district',
          'municipality', found.card -> 'municipality'
        ) order by zone.place_id), '[]')
        from (
          select distinct on (place_id) place_id, listing_id from homes
          where place_id not like 'name:%' order by place_id, listing_id limit 500
        ) as zone
        join watch.found_cards as found on found.user_id = me and found.listing_id = zone.listing_id
      ) end
    )
  );
end;
$function$;

drop function watch.find_cards(uuid, watch.found_home[]);
drop function watch.home_facts(uuid, text, jsonb);
drop function watch.past_homes(uuid, uuid, timestamptz);
