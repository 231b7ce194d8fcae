/** What the tests of settings changed without a connection share. */
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { addRule } from "../searches/rule-rows.ts";
import { addSearches } from "../support/finds.ts";
import type { Person } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";

const { filter, rules } = textsIn("en");

/** As it is saved: sorted by date. */
export const linkTo = (place: string) =>
  `https://www.idealista.com/venta-garajes/${place}/?ordenado-por=fecha-publicacion-desc`;
export const AUCTION = { on: "warning", kind: "auction", act: "leave-out" };
export const AGENCY = { on: "advertiser", is: "agency", act: "silent" };

/** Adds a rule, and saves all of them. */
export async function saveRule(page: Page, subject: string, act: keyof typeof rules.acts): Promise<void> {
  await addRule(page, subject, rules);
  const line = page.getByRole("radiogroup", { name: rules.choice.replace("{{subject}}", subject) });
  await line.getByRole("radio", { name: rules.acts[act] }).check();
  await page.getByRole("button", { name: filter.edit.save, exact: true }).click();
  await expect(page.getByRole("button", { name: filter.edit.discard })).toHaveCount(0);
}

export async function saveLink(page: Page, link: string): Promise<void> {
  await page.getByLabel(filter.url.label, { exact: true }).fill(link);
  await page.getByRole("button", { name: filter.edit.save, exact: true }).first().click();
  await expect(page.getByRole("button", { name: filter.edit.discard })).toHaveCount(0);
}

export async function chooseReceives(page: Page, receives: "kept" | "kept-by-two"): Promise<void> {
  await page.getByRole("button", { name: filter.chats.list, exact: true }).click();
  await page.getByLabel(filter.chats.receives.label, { exact: true }).selectOption(receives);
}

/** Adds three searches of a person, whose alerts go to a connected chat. */
export async function addConnectedSearches(person: Person): Promise<string[]> {
  const chat = String(await newPhone("Ana", { isStarted: true }));
  await inDatabase(
    (sql) => sql`insert into chats (user_id, chat_id, state) values (${person.id}, ${chat}, 'connected')`,
  );
  return addSearches(person, [chat]);
}

/** A tab that is open before the connection is lost. */
interface Tab {
  page: Page;
  /** Its answered writing requests: method, table and the names of the written columns. */
  writes: string[];
}

export async function openTab(context: BrowserContext, path: string): Promise<Tab> {
  const page = await context.newPage();
  const writes: string[] = [];
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    if (/GET|HEAD|OPTIONS/.test(request.method()) || !/\/(rest|auth)\/v1\/(?!rpc\/)/.test(pathname)) return;
    const columns = Object.keys(JSON.parse(request.postData() ?? "{}"));
    writes.push([request.method(), pathname.replace(/.*\/v1\//, ""), ...columns].join(" "));
  });
  await page.goto(path);
  return { page, writes };
}

export const rowsOf = ({ id }: Person) =>
  inDatabase(async (sql) => ({
    places: await sql`
      select name, longitude <> -3.7 as is_elsewhere from own_places
      where user_id = ${id} order by created_at`,
    searches: await sql`
      select name, is_paused, quiet_from::text, quiet_until::text, rules from searches
      where user_id = ${id} order by filter_url`,
    settings: await sql`select hidden_warnings, who from find_settings where user_id = ${id}`,
    profile: await sql`select full_name, language from profiles where id = ${id}`,
    filter: await sql`select filter_url from filter_settings where user_id = ${id}`,
    chats: await sql`select receives from chats where user_id = ${id}`,
  }));
