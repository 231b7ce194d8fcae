-- For an external PostgreSQL server, 15 or later. Run it once, as the server's administrator, in the database for
-- Sereno. Sereno itself then needs no rights beyond those of the database's owner and of the two logins created here:
--
--   create role sereno login password '…';
--   create database sereno owner sereno encoding 'UTF8' template template0;
--   psql --dbname=sereno --file=supabase/prepare-database.sql
--   alter role authenticator password '…';
--   alter role sereno_auth password '…';
--
-- Running it again changes nothing. Hosted Supabase does not need it.

do $$
declare
  owner constant name := (
    select pg_get_userbyid(datdba) from pg_database where datname = current_database()
  );
  wanted record;
begin
  for wanted in
    select * from (values
      -- The roles of a guest, of a signed-in person and of an administrator's key.
      ('anon', 'nologin'),
      ('authenticated', 'nologin'),
      ('service_role', 'nologin bypassrls'),
      -- The logins for people's requests (PEOPLE_DATABASE_URL) and for sign-in (AUTH_DATABASE_URL).
      ('authenticator', 'login'),
      ('sereno_auth', 'login')
    ) as roles (name, attributes)
  loop
    if to_regrole(wanted.name) is null then
      begin
        execute format('create role %I noinherit %s', wanted.name, wanted.attributes);
      exception
        -- Roles belong to the whole server: another database may be prepared at the same time.
        when duplicate_object or unique_violation then null;
        -- Some providers do not allow creating a role that bypasses row-level security; Sereno works without it.
        when insufficient_privilege then
          execute format('create role %I noinherit nologin', wanted.name);
      end;
    end if;
  end loop;
  if not pg_has_role('authenticator', 'anon', 'member') or not pg_has_role('authenticator', 'authenticated', 'member') then
    grant anon, authenticated to authenticator;
  end if;
  if not (select rolsuper from pg_roles where rolname = owner) then
    execute format('grant anon, authenticated, service_role to %I', owner);
  end if;
  -- The default of new databases since PostgreSQL 15.
  alter schema public owner to pg_database_owner;
  revoke create on schema public from public;
  -- The logins for people's requests need no temporary tables.
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
