-- How often Telegram did not answer, so that the chat may have copies; and why the person did not get an alert that was meant for
-- them. Alerts that were dropped on purpose have no failure.
alter table watch.alerts
  add column unanswered int not null default 0,
  add column failure text constraint alerts_failure_check check (failure in ('refused', 'unanswered', 'expired')),
  add column failed_at timestamptz,
  add constraint alerts_failed_at_check check ((failure is null) = (failed_at is null));

update watch.alerts set unanswered = 1 where is_ambiguous and state in ('pending', 'sending');

create index alerts_failed on watch.alerts (user_id, failed_at desc) where failure is not null;

-- One that reached another chat is left out.
create function public.my_failed_alerts()
  returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', id, 'kind', kind, 'listing_id', listing_id, 'home', payload -> 'listing', 'url', payload -> 'listing' ->> 'url',
      'price_eur', payload -> 'listing' -> 'priceEur', 'reason', failure, 'failed_at', failed_at
    ) order by failed_at desc, position desc), '[]'
  )
  from (
    select * from watch.alerts as failed
    where failed.user_id = (select auth.uid()) and failed.failure is not null
      and failed.failed_at > now() - interval '7 days' and failed.kind <> 'question'
      and not exists (
        select from watch.alerts as other
        where other.user_id = failed.user_id and other.listing_id = failed.listing_id and other.kind = failed.kind
          and other.event_key = failed.event_key and other.sent_at is not null
      )
    order by failed.failed_at desc, failed.position desc limit 20
  ) as latest;
$$;
comment on function public.my_failed_alerts() is
  'The alerts of the last week that could not be delivered to the caller''s chats, and why.';
revoke execute on function public.my_failed_alerts() from public;
grant execute on function public.my_failed_alerts() to authenticated;

-- The zone of quiet hours. Null: that of the first search.
alter table public.profiles add column time_zone text
  constraint time_zone_is_spanish check (time_zone in ('Europe/Madrid', 'Atlantic/Canary'));
grant update (time_zone) on public.profiles to authenticated;

-- What the latest mail that was news was decided to be, so that the same price by another way is not told again. Until now each mail
-- counted as news.
alter table watch.mail_listings
  add column decided text not null default 'none'
    constraint mail_listings_decided_check check (decided in ('new', 'cut', 'none')),
  add column decided_price_eur double precision,
  add constraint mail_listings_decision_check check ((decided = 'none') = (decided_price_eur is null));
update watch.mail_listings set decided = 'cut', decided_price_eur = price_eur;
