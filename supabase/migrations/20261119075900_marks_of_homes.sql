-- A home has one row of marks, so what a mark or a note replaces is read from that row.

create or replace function private.require_mark_unchanged(person uuid, meant_id text, field text, next text, replaces jsonb)
  returns void
  language plpgsql
  set search_path = ''
as $function$
declare
  home constant text := watch.home_meant(person, meant_id);
  saved text;
begin
  if replaces is null then
    return;
  end if;
  -- The lock of watch.mark_home: nobody marks or notes the home between the comparison and the change.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || home, 0));
  select case field when 'mark' then marks.mark else marks.note end into saved
  from public.marks where user_id = person and home_id = home for update;
  if saved is distinct from replaces ->> field and saved is distinct from next then
    raise exception 'The home was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
  end if;
end;
$function$;
