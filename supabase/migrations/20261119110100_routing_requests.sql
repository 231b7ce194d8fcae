-- Moving one's places makes the routing server answer again: how often is counted for each person, and in all.
create table watch.routing_requests (
  -- Null: everybody together, which the end of an account does not change.
  user_id uuid references auth.users (id) on delete cascade,
  hour timestamptz not null,
  requests integer not null check (requests > 0),
  unique nulls not distinct (user_id, hour)
);
create index routing_requests_by_hour on watch.routing_requests (hour);

comment on table watch.routing_requests is 'Requests to the routing server by person and hour; without a person: all of them.';

create table watch.moved_places (
  place_id uuid primary key references public.own_places (id) on delete cascade,
  moved_at timestamptz not null
);

comment on table watch.moved_places is 'When a person''s own place was moved last; it is asked about once it rests.';

create or replace function private.forget_travel_times() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from watch.travel_times where place_id = new.id;
  insert into watch.moved_places (place_id, moved_at) values (new.id, now())
  on conflict (place_id) do update set moved_at = excluded.moved_at;
  return null;
end;
$$;
