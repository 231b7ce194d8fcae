import type { SupabaseClient } from "@supabase/supabase-js";
import type { TestProduct } from "./test-product.ts";

export type Person = { id: string; email: string; client: SupabaseClient };

/** Alice, who owns the tested rows; Bob, who has another account; and a guest. */
export async function signUpCast(
  product: TestProduct,
): Promise<{ alice: Person; bob: Person; guest: SupabaseClient }> {
  const [alice, bob] = await Promise.all([signUp(product, "alice"), signUp(product, "bob")]);
  return { alice, bob, guest: product.createClient() };
}

export async function signUp(product: TestProduct, name: string): Promise<Person> {
  const client = product.createClient();
  const email = `${name}@example.com`;
  const { data, error } = await client.auth.signUp({
    email,
    password: `${name}-password`,
    options: { data: { full_name: name } },
  });
  if (error || !data.user) throw new Error(`${name} could not sign up: ${error?.message}`);
  return { id: data.user.id, email, client };
}
