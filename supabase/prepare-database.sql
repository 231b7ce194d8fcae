-- For a PostgreSQL server of your own, 15 or later. Run it once, as the server's administrator, in the database that is to be
-- Sereno's; Sereno itself then needs no rights beyond those of the database's owner:
--
--   create role sereno login password '…';
--   create database sereno owner sereno encoding 'UTF8' template template0;
--   psql --dbname=sereno --file=supabase/prepare-database.sql
--
-- Running it again changes nothing. On hosted Supabase all of it is there already.

do $$
declare
  owner constant name := (
    select pg_get_userbyid(datdba) from pg_database where datname = current_database()
  );
begin
  -- Whom a visitor, a person who is signed in, and an administrator's key are to the data.
  if to_regrole('anon') is null then
    create role anon nologin noinherit;
  end if;
  if to_regrole('authenticated') is null then
    create role authenticated nologin noinherit;
  end if;
  if to_regrole('service_role') is null then
    begin
      create role service_role nologin noinherit bypassrls;
    exception when insufficient_privilege then
      -- Some providers give nobody that right; Sereno does without.
      create role service_role nologin noinherit;
    end;
  end if;
  if not (select rolsuper from pg_roles where rolname = owner) then
    execute format('grant anon, authenticated, service_role to %I', owner);
  end if;
  -- As new databases have it since PostgreSQL 15.
  alter schema public owner to pg_database_owner;
  revoke create on schema public from public;
end
$$;
