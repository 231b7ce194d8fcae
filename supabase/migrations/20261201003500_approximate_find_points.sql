-- The map draws the uncertainty of a home whose advert hides the address.
create or replace function public.my_find_points(filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_caller();
  asked constant jsonb := watch.require_find_filter(filter) - 'order';
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'listingId', newest.listing_id, 'homeId', newest.home_id,
        'latitude', case when jsonb_typeof(met.latitude) = 'number' then met.latitude end,
        'longitude', case when jsonb_typeof(met.longitude) = 'number' then met.longitude end,
        'isAddressShown', met.is_address_shown is not distinct from 'true'::jsonb,
        'placeId', case when newest.place_id not like 'name:%' then newest.place_id end, 'priceEur', newest.price_eur,
        'mark', newest.mark, 'isGone', newest.gone_at is not null
      ) order by newest.sort_key, newest.home_id collate "C"
    ), '[]')
    from (
      select * from watch.found_homes(me, asked) order by sort_key, home_id collate "C" limit 5000
    ) as newest
    left join lateral (
      select portal.listing -> 'latitude' as latitude, portal.listing -> 'longitude' as longitude,
        portal.listing -> 'isAddressShown' as is_address_shown
      from watch.portal_listings as portal where portal.listing_id = newest.listing_id limit 1
    ) as met on true
  );
end;
$$;
