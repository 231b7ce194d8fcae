-- What a person has of a home (finds, marks, notes, alerts) names the home, so that counting homes is `count`.

alter table public.listings add column home_id text;
comment on column public.listings.home_id is 'The same for all listings of one home, as in watch.portal_listings.';
alter table public.marks add column home_id text;
alter table watch.alerts add column home_id text;

update public.listings as held set home_id = coalesce(
  (select portal.home_id from watch.portal_listings as portal where portal.listing_id = held.listing_id), held.listing_id
);
update public.marks as held set home_id = coalesce(
  (select portal.home_id from watch.portal_listings as portal where portal.listing_id = held.listing_id), held.listing_id
);
update watch.alerts as held set home_id = coalesce(
  (select portal.home_id from watch.portal_listings as portal where portal.listing_id = held.listing_id), held.listing_id
)
where listing_id is not null;

-- One mark and one note for each home. A listing that was hidden hid the home.
create temporary table whole_marks on commit drop as
select user_id, home_id,
  case when bool_or(mark = 'hidden') then 'hidden' when bool_or(mark = 'kept') then 'kept' end as mark,
  left(string_agg(distinct note, E'\n'), 2000) as note, (array_agg(chat_id) filter (where chat_id is not null))[1] as chat_id,
  (array_agg(listing_id order by updated_at desc, listing_id))[1] as listing_id,
  min(created_at) as created_at, max(updated_at) as updated_at
from public.marks group by user_id, home_id having count(*) > 1;
delete from public.marks using whole_marks as whole
where marks.user_id = whole.user_id and marks.home_id = whole.home_id;
insert into public.marks (user_id, home_id, mark, note, chat_id, listing_id, created_at, updated_at)
select user_id, home_id, mark, note, chat_id, listing_id, created_at, updated_at from whole_marks;

alter table public.listings add constraint listings_name_the_home check (home_id is not null);
create unique index marks_of_homes on public.marks (user_id, home_id);
alter table public.marks drop constraint marks_pkey, add constraint marks_pkey primary key using index marks_of_homes;
comment on column public.marks.listing_id is 'The listing of the home that the person marked last.';
alter table watch.alerts add constraint alerts_name_the_home check ((home_id is null) = (listing_id is null));
drop index public.marks_by_listing;
create index marks_by_home on public.marks (home_id);
create index listings_of_a_home on public.listings (home_id, user_id);
create index alerts_of_a_home on watch.alerts (home_id, user_id) where home_id is not null;
drop index watch.alerts_shown_of_a_listing;

-- The one place that knows the home of a new row; statements that insert many rows name it themselves.
create function watch.name_home() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new.home_id := coalesce(
    (select portal.home_id from watch.portal_listings as portal where portal.listing_id = new.listing_id), new.listing_id
  );
  return new;
end;
$$;
revoke execute on function watch.name_home() from public;
create trigger listings_name_the_home before insert on public.listings
  for each row when (new.home_id is null) execute function watch.name_home();
create trigger marks_name_the_home before insert on public.marks
  for each row when (new.home_id is null) execute function watch.name_home();
create trigger alerts_name_the_home before insert on watch.alerts
  for each row when (new.home_id is null and new.listing_id is not null) execute function watch.name_home();

-- The home that a person means by a listing: as they found it, or as feeds know it.
create function watch.home_meant(person uuid, meant_id text) returns text
  language sql stable set search_path = ''
as $$
  select coalesce(
    (select held.home_id from public.listings as held where held.user_id = person and held.listing_id = meant_id),
    (select portal.home_id from watch.portal_listings as portal where portal.listing_id = meant_id),
    meant_id
  );
$$;

-- Listings that people knew from a mail or a link before a feed saw that they advertise a known home again: what people have of
-- them moves to that home.
create function watch.settle_homes(listing_ids text[]) returns void
  language plpgsql set search_path = ''
as $$
declare
  moved record;
begin
  for moved in
    select portal.listing_id as from_id, portal.home_id as to_id from watch.portal_listings as portal
    where portal.listing_id = any (listing_ids) and portal.home_id <> portal.listing_id
    order by portal.listing_id
  loop
    update public.listings set home_id = moved.to_id where home_id = moved.from_id;
    update watch.alerts set home_id = moved.to_id where home_id = moved.from_id;
    with former as (
      delete from public.marks where home_id = moved.from_id returning *
    )
    insert into public.marks as held (user_id, listing_id, home_id, mark, note, chat_id, created_at, updated_at)
    select user_id, listing_id, moved.to_id, mark, note, chat_id, created_at, updated_at from former order by user_id
    on conflict (user_id, home_id) do update set
      mark = case when 'hidden' in (held.mark, excluded.mark) then 'hidden' else coalesce(held.mark, excluded.mark) end,
      note = case
        when held.note <> excluded.note then left(held.note || E'\n' || excluded.note, 2000)
        else coalesce(held.note, excluded.note)
      end,
      chat_id = coalesce(held.chat_id, excluded.chat_id), updated_at = greatest(held.updated_at, excluded.updated_at);
    with former as (
      delete from watch.shortlists where home_id = moved.from_id returning *
    )
    insert into watch.shortlists (chat_id, home_id, kept_at, by_two_at)
    select chat_id, moved.to_id, kept_at, by_two_at from former order by chat_id on conflict (chat_id, home_id) do nothing;
  end loop;
end;
$$;

drop function watch.found_homes(uuid, jsonb, text[]);
drop function watch.announce_kept(uuid, text, text[], timestamptz);
drop function watch.schedule_edits(uuid, text[], timestamptz, bigint);

CREATE OR REPLACE FUNCTION watch.found_homes(person uuid, filter jsonb, only_home text DEFAULT NULL::text)
 RETURNS SETOF watch.found_home
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with adverts as (
    select held.listing_id, held.created_at, held.home_id,
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
    left join (
      select listing_id, bool_or(not filter ? 'searchId' or search_id = (filter ->> 'searchId')::uuid) as is_of_search
      from public.left_outs where user_id = person and returned_at is null group by listing_id
    ) as out_of on out_of.listing_id = held.listing_id
    where held.user_id = person and (only_home is null or held.home_id = only_home)
  ), homes as (
    select adverts.*,
      row_number() over newest as place,
      array_agg(adverts.listing_id) over home as all_adverts,
      min(adverts.created_at) over home as first_found_at,
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
  select home_id, homes.listing_id, all_adverts, first_found_at, marks.mark, marks.note, home_gone_at, price_eur,
    case when former_price_eur > price_eur then former_price_eur end, place_id,
    -- All ascending; homes without a value come last.
    coalesce(
      case coalesce(filter ->> 'order', 'newest')
        when 'newest' then -extract(epoch from homes.created_at) * 1000000
        when 'price' then price_eur
        else sort_key
      end,
      9e15
    )
  from homes left join (select * from public.marks where marks.user_id = person) as marks using (home_id)
  where place = 1 and is_asked
    and case filter ->> 'state'
      when 'any' then true
      when 'left-out' then marks.mark is null and home_is_left_out
      when 'hidden' then marks.mark = 'hidden'
      when 'kept' then marks.mark = 'kept'
      else marks.mark is distinct from 'hidden' and (not home_is_out or marks.mark = 'kept') and case filter ->> 'state'
        when 'cheaper' then former_price_eur > price_eur
        when 'gone' then home_gone_at is not null
        when 'back' then is_back
        when 'new' then marks.mark is null and home_gone_at is null and not is_back
          and coalesce(former_price_eur <= price_eur, true)
        else true
      end
    end
    and (filter ->> 'zone' is null or place_id = filter ->> 'zone' or starts_with(place_id, filter ->> 'zone' || '-'))
    and (filter ->> 'minPriceEur' is null or price_eur >= (filter ->> 'minPriceEur')::double precision)
    and (filter ->> 'maxPriceEur' is null or price_eur <= (filter ->> 'maxPriceEur')::double precision);
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
  meant constant text := (
    select held.home_id from public.listings as held
    where held.user_id = me and my_find.listing_id in (held.listing_id, held.home_id) limit 1
  );
begin
  return (
    with home as materialized (
      select * from watch.found_homes(me, '{"state": "any"}', coalesce(meant, ''))
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

CREATE OR REPLACE FUNCTION public.bring_back(listing_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_caller();
  advert text;
begin
  perform private.require_own_find(me, bring_back.listing_id);
  for advert in
    select held.listing_id from public.listings as held
    where held.user_id = me and held.home_id = watch.home_meant(me, bring_back.listing_id)
    order by held.created_at desc, held.listing_id desc
  loop
    perform watch.bring_back(me, advert, now());
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.alert_counts(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'found', count(*),
    'sent', count(*) filter (where is_sent),
    'waiting', count(*) filter (where is_waiting and not is_sent),
    'undelivered', count(*) filter (where not is_waiting and not is_sent)
  )
  from (
    select bool_or(state in ('sent', 'merged')) as is_sent, bool_or(state in ('pending', 'sending')) as is_waiting
    from watch.alerts join watch.alert_kinds using (kind)
    where user_id = person and created_at > now() - interval '1 day' and is_about_listing and search = any (search_ids)
    group by home_id
  ) as homes;
$function$;

CREATE OR REPLACE FUNCTION watch.latest_alerts_of(person uuid, search uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recent as (
    select alerts.* from watch.alerts
    where alerts.user_id = person and alerts.kind in (select kind from watch.alert_kinds where is_about_listing)
      and search = any (alerts.search_ids)
    order by alerts.created_at desc, alerts.position desc limit 200
  ), homes as (
    select distinct on (home_id) * from recent
    order by home_id, created_at desc,
      -- If one event went to several chats: one that arrived.
      (state in ('sent', 'merged')) desc, position desc
  ), latest as (
    select * from homes order by created_at desc, position desc limit 5
  )
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'chat_id', chat_id, 'state', state, 'created_at', created_at, 'sent_at', sent_at,
      'listing_id', listing_id, 'former_listing_id', payload ->> 'formerListingId', 'home', payload -> 'listing',
      'price_eur', payload -> 'listing' -> 'priceEur',
      'url', payload -> 'listing' ->> 'url'
    ) order by created_at desc, position desc), '[]'
  )
  from latest;
$function$;

CREATE OR REPLACE FUNCTION watch.left_out_counts(person uuid, search uuid, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'today', count(*) filter (where last_day >= today),
    'week', count(*) filter (where last_day > today - 7),
    'month', count(*) filter (where last_day > today - 30)
  )
  from (
    select max((left_outs.left_out_at at time zone 'Europe/Madrid')::date) as last_day
    from public.left_outs join public.listings using (user_id, listing_id)
    where left_outs.user_id = person and (search is null or left_outs.search_id = search)
      and left_outs.left_out_at > at - interval '31 days'
    group by listings.home_id
  ) as homes
  cross join (select (at at time zone 'Europe/Madrid')::date as today) as spain;
$function$;

CREATE OR REPLACE FUNCTION watch.homes_of_search(person uuid, search uuid, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'card', found.card - array['url', 'pictureUrl'] || jsonb_build_object(
      'comparison', watch.comparison_of(found.card, found.place_id, watch.amount_in(found.card -> 'pricePerM2Eur'))
    ),
    'words', found.words,
    'travelTimes', watch.travel_times_of(person, found.card)
  )), '[]')
  from (
    select listing_id from (
      select distinct on (held.home_id) held.listing_id, held.created_at
      from public.listings as held
      where held.user_id = person and held.created_at > at - interval '30 days' and (
        search = any (held.search_ids) or exists (
          select from public.left_outs
          where left_outs.user_id = person and left_outs.listing_id = held.listing_id and left_outs.search_id = search
        )
      )
      order by held.home_id, held.created_at desc, held.listing_id desc
    ) as homes
    order by created_at desc limit 500
  ) as newest
  join watch.found_cards as found on found.user_id = person and found.listing_id = newest.listing_id;
$function$;

CREATE OR REPLACE FUNCTION watch.announce_kept(person uuid, meant_id text, home text, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  shown record;
  chat record;
  keepers uuid[];
  is_new boolean;
  is_by_two boolean;
begin
  select alerts.listing_id, alerts.payload -> 'listing' as listing, alerts.search_ids into shown from watch.alerts
  where alerts.user_id = person and alerts.home_id = home
    and jsonb_typeof(alerts.payload -> 'listing') = 'object'
  order by alerts.listing_id = meant_id desc, alerts.position desc limit 1;
  if not found then
    return;
  end if;
  for chat in
    select own.chat_id, own.receives from public.chats as own
    join watch.confirmed_chats using (user_id, chat_id)
    where own.user_id = person and own.receives <> 'everything'
    order by own.chat_id
  loop
    select array_agg(kept.user_id order by kept.first_at, kept.user_id) into keepers
    from (
      select marks.user_id, marks.updated_at as first_at
      from public.marks join watch.confirmed_chats as theirs on theirs.user_id = marks.user_id
        and theirs.chat_id = chat.chat_id
      where marks.mark = 'kept' and marks.home_id = home
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
      jsonb_build_object('listing', shown.listing, 'keeperIds', to_jsonb(keepers), 'isByTwo', is_by_two),
      shown.search_ids
    )
    on conflict do nothing;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.schedule_edits(person uuid, home text, at timestamp with time zone, but_chat bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update watch.alerts set edit_due_at = at, edit_until = null, edit_attempts = 0
  where user_id = person and home_id = home and state in ('sent', 'merged') and message_id is not null
    and created_at > at - interval '9 days' and sent_at > at - interval '7 days' and chat_id is distinct from but_chat;
  if found then
    perform pg_notify('alerts', '');
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.mark_home(person uuid, meant_id text, new_mark text, at timestamp with time zone, said_in bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  -- Two people who keep a home at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || home, 0));
  if new_mark is null then
    update public.marks set mark = null, chat_id = null, updated_at = at
    where user_id = person and home_id = home and note is not null and mark is not null;
    delete from public.marks where user_id = person and home_id = home and note is null;
  else
    insert into public.marks (user_id, listing_id, home_id, mark, created_at, updated_at)
    values (person, meant_id, home, new_mark, at, at)
    on conflict (user_id, home_id) do update set
      listing_id = excluded.listing_id, mark = excluded.mark, updated_at = excluded.updated_at;
  end if;

  -- A chat's mark is shown until another mark is set anywhere.
  update watch.alerts set chat_mark = case when chat_id = said_in then new_mark end
  where chat_id in (select chats.chat_id from public.chats where chats.user_id = person)
    and home_id = home and user_id = person
    and chat_mark is distinct from case when chat_id = said_in then new_mark end
    and (chat_id = said_in or chat_mark is distinct from new_mark);
  update watch.alerts set edit_due_at = 'infinity', edit_until = null, edit_attempts = 0
  where chat_id = said_in and home_id = home and user_id = person and state in ('sent', 'merged')
    and message_id is not null;
  perform watch.schedule_edits(person, home, at, said_in);
  if new_mark = 'kept' then
    perform watch.announce_kept(person, meant_id, home, at);
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION watch.note_home(person uuid, meant_id text, new_note text, at timestamp with time zone, said_in bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  if new_note is null then
    update public.marks set note = null, updated_at = at
    where user_id = person and home_id = home and note is not null and mark is not null;
    delete from public.marks where user_id = person and home_id = home and mark is null;
  else
    insert into public.marks (user_id, listing_id, home_id, note, created_at, updated_at)
    values (person, meant_id, home, new_note, at, at)
    on conflict (user_id, home_id) do update set note = excluded.note, updated_at = excluded.updated_at;
  end if;
  perform watch.schedule_edits(person, home, at, said_in);
end;
$function$;

CREATE OR REPLACE FUNCTION watch.watch_listing(person uuid, meant_id text, said_in bigint, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  home constant text := watch.home_meant(person, meant_id);
begin
  perform private.lock_person(person);
  if not watch.can_see(person, meant_id) then
    return 'not-seen';
  end if;
  if 100 <= (
    select count(*) from public.marks
    where marks.user_id = person and marks.mark = 'kept' and marks.home_id <> home and not exists (
      select from public.listings where listings.user_id = person and listings.home_id = marks.home_id
    )
  ) then
    return 'too-many';
  end if;
  insert into public.marks (user_id, listing_id, home_id, mark, chat_id, created_at, updated_at)
  values (person, meant_id, home, 'kept', said_in, at, at)
  on conflict (user_id, home_id) do update set
    listing_id = excluded.listing_id, mark = excluded.mark, chat_id = excluded.chat_id, updated_at = excluded.updated_at;
  return 'kept';
end;
$function$;

drop function watch.own_adverts(uuid, text);
drop function watch.home_of(text);
