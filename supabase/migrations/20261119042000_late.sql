-- "Late": a feed without a successful check for too long, although its source does not fail. It is said wherever a search's status is.

create function watch.late_since(feed watch.feeds, at timestamptz) returns timestamptz
  language sql stable set search_path = ''
as $$
  select coalesce(feed.last_ok_at, feed.live_since)
  where feed.idle_since is null and feed.failing_since is null
    and case when feed.last_ok_at is null then feed.live_since < at - interval '15 minutes'
      else feed.last_ok_at < at - greatest(interval '15 minutes', 3 * feed.interval_seconds * interval '1 second')
    end
    and not exists (select from watch.pause)
    -- A feed that waited for the next month, or whose interval became shorter, has its next check planned.
    and (
      feed.next_check_at < at - interval '5 minutes'
      or exists (select from watch.quarantine as held where held.kind = 'feed' and held.subject = feed.key)
    );
$$;
comment on function watch.late_since(watch.feeds, timestamptz) is
  'The last successful check of a late feed, or when it was taken into use; null if it is not late.';
revoke execute on function watch.late_since(watch.feeds, timestamptz) from public;

-- The status has one more fact. The rest of the function stays as it is.
do $$
declare
  body constant text := pg_get_functiondef('watch.state_of_search(uuid)'::regprocedure);
  place constant text := '''next_check_at'', live.next_check_at,';
begin
  if position(place in body) = 0 then
    raise exception 'watch.state_of_search has no next check';
  end if;
  execute replace(body, place, place || E'\n    ''late_since'', watch.late_since(live, now()),');
end;
$$;

-- The demo is watched like any search; its last check is timed.
alter table watch.demo_filters
  add column checked_at timestamptz,
  add column check_seconds double precision check (check_seconds >= 0);
