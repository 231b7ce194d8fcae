import type { Sql } from "postgres";

/**
 * What the auth service's schema needs besides its tables. People may call `auth.uid()` by name, as on hosted Supabase.
 * And since sign-up asks for no proof of an address, whoever first typed it may not be its owner: when Google vouches
 * for the owner, who thereby joins the account, what was set up without proof ends, the password and every session.
 */
export async function completeAuthSchema(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('auth-schema'))`;
    await transaction`grant usage on schema auth to anon, authenticated, service_role`;
    await transaction.unsafe(END_UNPROVEN_ACCESS);
  });
}

const END_UNPROVEN_ACCESS = `
  create or replace function auth.end_unproven_access() returns trigger
    language plpgsql security definer set search_path = ''
  as $$
  begin
    update auth.users set encrypted_password = null, recovery_token = null
      where id = new.user_id and encrypted_password is not null;
    delete from auth.sessions where user_id = new.user_id;
    return new;
  end;
  $$;
  create or replace trigger end_unproven_access
    after insert on auth.identities
    for each row when (new.provider <> 'email') execute function auth.end_unproven_access();`;
