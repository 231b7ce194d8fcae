-- The first page of finds also names the zones of all of them, so that a person can choose one that is further down.
create or replace function public.my_finds(filter jsonb default '{}', after text default null, page_size integer default 24)
  returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  asked constant jsonb := watch.require_find_filter(filter);
  sort_order constant text := coalesce(asked ->> 'order', 'newest');
  -- The order, the key and the home with which the page before ended.
  begin_after constant text[] := regexp_match(
    after, '^(newest|price|price-per-m2|cheaper-than-zone) (-?\d{1,17}(?:\.\d{1,17})?(?:e[+-]?\d{1,2})?) (.{1,64})$'
  );
begin
  if me is null then
    raise exception 'Only a signed-in person has finds' using errcode = 'insufficient_privilege';
  end if;
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
      -- What each zone is called, by one of the homes in it.
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
