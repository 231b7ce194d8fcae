import type { Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import type { Person } from "./people.ts";
import { inDatabase } from "./product-database.ts";
import { textsIn } from "./texts.ts";

/** The card of the alert mails by the words a person sees, in one language. */
export function alertMailsIn(page: Page, language: Language) {
  const texts = textsIn(language)["alert-mails"];
  const card = page.getByRole("region", { name: texts.title });
  return {
    texts,
    card,
    begin: card.getByRole("button", { name: texts.begin, exact: true }),
    address: card.getByLabel(texts.address.label, { exact: true }),
    code: card.getByLabel(texts.question.code, { exact: true }),
    mails: card.getByRole("list", { name: texts.mails.title }),
    copy: (name: string) =>
      card.getByRole("button", { name: texts.copy.named.replace("{{name}}", name), exact: true }),
  };
}

export const tokenOf = ({ id }: Person) =>
  inDatabase(async (sql) => (await sql`select token from mail_addresses where user_id = ${id}`)[0]?.token);

/** Gmail's question, as the reader notes it. */
export const askToForward = ({ id }: Person) =>
  inDatabase(
    (sql) => sql`
    update mail_addresses
    set forwarding_code = '482915036', forwarding_link = 'https://mail-settings.google.com/mail/vf-abc',
      forwarding_asked_at = now()
    where user_id = ${id}`,
  );

export const receiveMail = (
  { id }: Person,
  mail: { outcome: string; why?: string; portal?: string; listingCount?: number; newCount?: number },
) =>
  inDatabase(
    (sql) => sql`
    insert into received_mails (user_id, outcome, why, portal, listing_count, new_count)
    values (
      ${id}, ${mail.outcome}, ${mail.why ?? null}, ${mail.portal ?? null}, ${mail.listingCount ?? 0}, ${mail.newCount ?? 0}
    )`,
  );
