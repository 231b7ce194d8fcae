import type { Sql } from "postgres";
import { parseEmailAddress } from "#platform/email-address.ts";

/**
 * Earlier versions stored a domain as it was typed, such as señal.example; now it is stored as DNS has it, and an address is
 * found by that alone. One that another account has already stays as it is.
 */
export async function storeDomainsInAscii(sql: Sql): Promise<void> {
  const stored = await sql<{ id: string; email: string }[]>`
    select id, email from auth.users where email ~ '[^\x20-\x7e]'`;
  for (const { id, email } of stored) {
    const ascii = parseEmailAddress(email)?.email;
    if (ascii === undefined) continue;
    await sql`
      update auth.users set email = ${ascii}
      where id = ${id} and email = ${email} and not exists (select from auth.users where email = ${ascii})`;
  }
}
