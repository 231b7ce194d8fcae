import { expect as base, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { type Person, signIn, signUp } from "./people.ts";
import { inDatabase } from "./product-database.ts";
import { textsIn } from "./texts.ts";

/** Some updates go through the database and back, which is slow while four browsers run at once. */
export const expect = base.configure({ timeout: 30_000 });

export const MADRID =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/?ordenado-por=fecha-publicacion-desc";
export const CHAMBERI =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/?ordenado-por=fecha-publicacion-desc";

/** A link as people share it, in a text. */
export const SHARED =
  "Mira lo que he encontrado: http://idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor/pagina-3.htm?utm_source=app&ordenado-por=precios-asc";

/** Locators of the filter settings page, by its visible texts in one language. */
export function filterPageIn(page: Page, language: Language) {
  const { filter, health } = textsIn(language);
  return {
    path: localizedPath("/filter-settings", language),
    texts: filter,
    health,
    url: page.getByLabel(filter.url.label, { exact: true }),
    ids: page.getByLabel(filter.chats.label, { exact: true }),
    next: page.getByRole("button", { name: filter.steps.next, exact: true }),
    toReview: page.getByRole("button", { name: filter.steps.toReview, exact: true }),
    back: page.getByRole("button", { name: filter.steps.back, exact: true }),
    save: page.getByRole("button", { name: filter.steps.save, exact: true }),
    watchNow: page.getByRole("button", { name: filter.steps.watch, exact: true }),
    saveChanges: page.getByRole("button", { name: filter.edit.save, exact: true }),
    progress: page.getByRole("progressbar", { name: filter.steps.progress }),
    question: page.getByRole("heading", { level: 2 }),
    watch: page.getByRole("region", { name: filter.watch.title }),
    form: page.getByRole("region", { name: filter.edit.title }),
    chats: page.getByRole("list", { name: filter.chats.list }),
    /** The button that opens a folded part, and closes the one that was open. */
    fold: (title: string) => page.getByRole("heading", { level: 2 }).getByRole("button", { name: title }),
  };
}

/** Signs a new user in and opens the wizard. */
export async function openWizard(page: Page, baseURL: string | undefined, language: Language = "en") {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const form = filterPageIn(page, language);
  await page.goto(form.path);
  await expect(form.question).toHaveText(form.texts.url.question);
  return { person, form };
}

/** Signs in a new user who has saved a filter, and opens the edit form. */
export async function openEditForm(
  page: Page,
  baseURL: string | undefined,
  {
    language = "en",
    ids = ["501"],
    url = MADRID,
  }: { language?: Language; ids?: string[]; url?: string } = {},
) {
  const person = await signUp(baseURL ?? "", "Ana García");
  await inDatabase(
    (sql) => sql`
    insert into filter_settings (user_id, filter_url, receiver_ids) values (${person.id}, ${url}, ${ids})`,
  );
  await signIn(page, person);
  const form = filterPageIn(page, language);
  await page.goto(form.path);
  await expect(form.saveChanges).toBeVisible();
  return { person, form };
}

/** As if the searches had been saved two days ago: by then alert mails are offered. */
export const ageSearches = ({ id }: Person) =>
  inDatabase(
    (sql) => sql`update searches set created_at = created_at - interval '2 days' where user_id = ${id}`,
  );

export const filterOf = ({ id }: Person) =>
  inDatabase(
    async (sql) =>
      [
        ...(await sql`select filter_url as url, receiver_ids as ids from filter_settings where user_id = ${id}`),
      ][0],
  );
