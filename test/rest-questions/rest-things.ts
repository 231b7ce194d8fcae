// Tables and functions of every kind that the data API distinguishes, open to guests, with a few rows.

export const THINGS = `
  create table public.things (
    id integer primary key,
    name text,
    tags text[],
    details jsonb,
    made_at timestamptz not null default '2026-01-31 10:00:00+00',
    is_old boolean,
    price numeric(10, 2) constraint price_is_positive check (price > 0),
    small smallint,
    note text default 'a default',
    unique (name)
  );
  create table public.parts (id integer primary key, thing_id integer references public.things);
  create table public.secrets (id integer);
  create function public.add_up(first integer, second integer default 1) returns integer language sql stable
    as $$ select first + second $$;
  create function public.echo(document jsonb, list text[] default '{}') returns jsonb language sql stable
    as $$ select jsonb_build_object('document', document, 'list', list) $$;
  create function public.count_to(last integer) returns setof integer language sql stable
    as $$ select generate_series(1, last) $$;
  create function public.pairs() returns table (number integer, word text) language sql stable
    as $$ values (1, 'one'), (2, null) $$;
  create function public.first_thing() returns public.things language sql stable
    as $$ select * from public.things order by id limit 1 $$;
  create function public.nothing() returns void language sql volatile as $$ $$;
  create function public.fail(state text) returns void language plpgsql volatile
    as $$ begin raise 'in words' using errcode = state, detail = 'a-code'; end $$;
  create function private.not_served() returns void language sql as $$ $$;
  grant select, insert, update, delete on public.things, public.parts to anon, authenticated;`;

export const ROWS_OF_THINGS = `
  truncate public.things, public.parts;
  insert into public.things (id, name, tags, details, is_old, price, small) values
  (1, 'one', '{a,b}', '{"size": {"m2": 40}, "list": [10, 20], "a b": "x"}', true, 1.50, 1),
  (2, 'two, and', '{b}', '{"size": {"m2": 80}}', false, 20, null),
  (3, 'three "3"', '{}', null, null, null, 3),
  (4, null, null, '[1]', true, 4, 4);`;
