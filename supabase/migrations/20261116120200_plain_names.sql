-- A search's name is one line that shows all that is in it: nothing that turns the line round, breaks it or cannot be seen.
-- Names of before are cleaned; one whose row cannot be saved as it is keeps what it has, and no start is stopped.
alter table public.filter_settings drop constraint name_is_a_line;
alter table public.other_searches drop constraint name_is_a_line;

do $$
declare
  unseen constant text := '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]';
  named record;
begin
  for named in select id, name from watch.saved_searches where name ~ unseen or btrim(name) <> name loop
    begin
      update public.filter_settings set name = nullif(btrim(regexp_replace(name, unseen, '', 'g')), '') where id = named.id;
      update public.other_searches set name = nullif(btrim(regexp_replace(name, unseen, '', 'g')), '') where id = named.id;
    exception when check_violation then
      raise notice 'A search that cannot be saved as it is keeps its name';
    end;
  end loop;
end;
$$;

alter table public.filter_settings add constraint name_is_a_line check (
  char_length(name) between 1 and 60 and name = btrim(name)
    and name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'
) not valid;
alter table public.other_searches add constraint name_is_a_line check (
  char_length(name) between 1 and 60 and name = btrim(name)
    and name !~ '[[:cntrl:]\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'
) not valid;
