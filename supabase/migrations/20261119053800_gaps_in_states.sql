-- The state of a search says for a week when homes may have been missed, as its chats were told.
do $$
declare
  body constant text := pg_get_functiondef('watch.state_of_search(uuid)'::regprocedure);
  before constant text := '    ''late_since'', ';
begin
  if position(before in body) = 0 then
    raise exception 'watch.state_of_search has no time since when it is late';
  end if;
  execute replace(body, before, '    ''last_gap'', (
      select jsonb_build_object(''from'', gaps.from_at, ''until'', gaps.until_at) from watch.gaps
      where gaps.search_id = search and gaps.told_at > now() - interval ''7 days'' order by gaps.until_at desc limit 1
    ),
' || before);
end
$$;
