import type { Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import type { Person } from "./people.ts";
import { inDatabase } from "./product-database.ts";
import { textsIn } from "./texts.ts";

/** Locators of the alert mails card, by its visible texts in one language. */
export function alertMailsIn(page: Page, language: Language) {
  const texts = textsIn(language)["alert-mails"];
  const card = page.getByRole("region", { name: texts.title });
  return {
    texts,
    card,
    fold: page.getByRole("heading", { level: 2 }).getByRole("button", { name: texts.title }),
    begin: card.getByRole("button", { name: texts.begin, exact: true }),
    address: card.getByRole("group", { name: texts.address.label, exact: true }).locator("code"),
    code: card.getByRole("group", { name: texts.question.code, exact: true }).locator("code"),
    mails: card.getByRole("list", { name: texts.mails.title }),
    copy: (name: string) => card.getByRole("group", { name, exact: true }).getByRole("button"),
  };
}

export const tokenOf = ({ id }: Person) =>
  inDatabase(async (sql) => (await sql`select token from mail_addresses where user_id = ${id}`)[0]?.token);

/** Stores Gmail's forwarding question, as the mail intake does. */
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

/** Uses up the new addresses allowed per day. */
export const spendRenewals = ({ id }: Person) =>
  inDatabase(
    (sql) => sql`
    insert into watch.mail_renewals (user_id, renewed_at)
    select ${id}, now() - n * interval '1 minute' from generate_series(1, 10) as n`,
  );
