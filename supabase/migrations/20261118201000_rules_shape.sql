-- What a rule may be is decided by one parser, in TypeScript (src/core/rules/rule.ts). The database checks the shape and the size.

alter table public.searches drop constraint rules_are_valid;
alter table public.searches add constraint rules_are_a_list check (
  case jsonb_typeof(rules) when 'array' then jsonb_array_length(rules) <= 30 and pg_column_size(rules) <= 16384 else false end
);

-- The homes that a search found or left out in the last 30 days, each by its latest listing, newest first, at most 500: PastHome in
-- src/core/rules/past-homes.ts. All that is stored of a listing, but for what no rule reads and much room, so that a new kind of rule
-- needs no change here.
create or replace function watch.past_homes(person uuid, search uuid, at timestamptz) returns jsonb
  language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'listing', facts.said - array[
      'description', 'subtitle', 'url', 'thumbnailUrl', 'pictureUrl', 'photoUrls', 'amenities', 'labels', 'wording'
    ] || jsonb_build_object(
      'warnings', case when jsonb_typeof(facts.said -> 'warnings') = 'array' then facts.said -> 'warnings' else '[]' end,
      'comparison', case when figures.place_id is not null then
        jsonb_build_object('percent', watch.percent_above(facts.per_m2, figures.median_per_m2_eur))
      end
    ),
    'words', facts.words,
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
