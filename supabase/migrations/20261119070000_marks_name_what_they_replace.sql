-- A mark or a note may name what it replaces. It is refused if another device or a chat has changed it since: the person decides.

create function private.require_mark_unchanged(person uuid, meant_id text, field text, next text, replaces jsonb)
  returns void
  language plpgsql
  set search_path = ''
as $function$
declare
  meant constant text[] := watch.own_adverts(person, meant_id) || meant_id;
  saved text;
begin
  if replaces is null then
    return;
  end if;
  -- The lock of watch.mark_home: nobody marks or notes the home between the comparison and the change.
  perform pg_advisory_xact_lock(hashtextextended('kept ' || (select home_id from watch.home_of(meant_id)), 0));
  perform from public.marks where user_id = person and listing_id = any (meant) order by listing_id for update;
  saved := (
    select case field when 'mark' then marks.mark else marks.note end
    from public.marks
    where user_id = person and listing_id = any (meant)
      and case field when 'mark' then marks.mark else marks.note end is not null
    order by updated_at desc
    limit 1
  );
  if saved is distinct from replaces ->> field and saved is distinct from next then
    raise exception 'The home was changed meanwhile' using errcode = 'PT409', detail = 'changed-elsewhere';
  end if;
end;
$function$;
revoke all on function private.require_mark_unchanged(uuid, text, text, text, jsonb) from public;

drop function public.mark_find(text, text);
create function public.mark_find(listing_id text, mark text default null, replaces jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path = ''
as $function$
declare
  me constant uuid := private.require_caller();
begin
  perform private.require_own_find(me, mark_find.listing_id);
  if mark_find.mark not in ('kept', 'hidden') then
    raise exception 'A home is kept, hidden or neither' using errcode = '22023';
  end if;
  perform private.require_mark_unchanged(me, mark_find.listing_id, 'mark', mark_find.mark, mark_find.replaces);
  perform watch.mark_home(me, mark_find.listing_id, mark_find.mark, now());
end;
$function$;
comment on function public.mark_find(text, text, jsonb) is 'Keeps or hides a home that was found for the caller; null undoes it. Refused if the mark is no longer the one of `replaces`.';
revoke all on function public.mark_find(text, text, jsonb) from public, anon;
grant execute on function public.mark_find(text, text, jsonb) to authenticated;

drop function public.note_find(text, text);
create function public.note_find(listing_id text, note text default null, replaces jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path = ''
as $function$
declare
  me constant uuid := private.require_caller();
  said constant text := nullif(btrim(note_find.note, E' \t\r\n'), '');
  next constant text := case when said ~ '\S' then said end;
begin
  perform private.require_own_find(me, note_find.listing_id);
  if char_length(said) > 2000 then
    raise exception 'A note has at most 2,000 characters' using errcode = '22023', detail = 'note-too-long';
  end if;
  perform private.require_mark_unchanged(me, note_find.listing_id, 'note', next, note_find.replaces);
  perform watch.note_home(me, note_find.listing_id, next, now());
end;
$function$;
comment on function public.note_find(text, text, jsonb) is 'The caller''s own note on a home that was found for them; null or blank removes it. Refused if the note is no longer the one of `replaces`.';
revoke all on function public.note_find(text, text, jsonb) from public, anon;
grant execute on function public.note_find(text, text, jsonb) to authenticated;
