import { addFinds, newCodes } from "../support/finds.ts";
import { type Person, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone } from "../support/telegram.ts";

/** An account that its Telegram user signs in to, with one home. */
export async function newHunter(
  baseURL: string | undefined,
  firstName = "Ana",
): Promise<{ person: Person; phone: number; code: string }> {
  const person = await signUp(baseURL ?? "", "Ana App");
  const phone = await newPhone(firstName, { isStarted: true });
  const [code = ""] = newCodes(1);
  await inDatabase(
    (sql) => sql`
      insert into auth.identities (user_id, provider, provider_id, identity_data)
      values (${person.id}, 'custom:telegram', ${String(phone)}, '{}')`,
  );
  await addFinds(person, [{ id: code, priceEur: 950, minutesAgo: 5, street: "Calle de Luchana" }]);
  return { person, phone, code };
}
