/** How a person reaches each part that the build loads on demand, by the module that the build names. */
import { expect, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { CHAMBERI, filterPageIn } from "../support/filter-page.ts";
import { textsIn } from "../support/texts.ts";
import { whenStill } from "../support/when-still.ts";

export interface Way {
  /** Guests, people who have just signed up, and people with one or several searches see different parts. */
  as: "guest" | "newcomer" | "one-search" | "searches";
  from: string;
  /** Absent if the page needs the part as soon as it is opened. */
  press?(page: Page, language: Language): Promise<void>;
  /** If the part does not load by itself. */
  pressAgain?(page: Page, language: Language): Promise<void>;
  /** Goes back to where the part was pressed. Parts that have it are tried on one page, in this order. */
  leave?(page: Page, language: Language): Promise<void>;
  /** The part is shown with data, which has to be there before the line is cut. */
  needsData?: true;
  width?: number;
  /** Why the page needs to say nothing. */
  quiet?: string;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first();

/** A wide screen has no menu: its entries are in the header. */
async function openMenu(page: Page, language: Language): Promise<void> {
  const menu = button(page, textsIn(language).common.header.openMenu);
  if (await menu.isVisible()) await menu.click();
}

async function fillWizard(page: Page, language: Language, until: 1 | 2): Promise<void> {
  const { filter } = textsIn(language);
  await page.getByLabel(filter.url.label, { exact: true }).fill(CHAMBERI);
  if (until > 1) {
    await button(page, filter.steps.next).click();
    await page.getByLabel(filter.chats.label, { exact: true }).fill("501");
  }
}

const submitSignIn = (page: Page, language: Language) => {
  const { submit } = textsIn(language).auth.signIn;
  return page.getByRole("dialog").getByRole("button", { name: submit, exact: true }).click();
};

const footer = (name: "privacy" | "terms") => async (page: Page, language: Language) => {
  const words = textsIn(language).common.footer;
  const target = page.getByRole("contentinfo").getByRole("link", { name: words[name] });
  await (await whenStill(target)).click();
};

const closeByKey = (page: Page) => page.keyboard.press("Escape");

const goBack = async (page: Page) => void (await page.goBack());

const clearLink = (page: Page, language: Language) =>
  page.getByLabel(textsIn(language).filter.url.label, { exact: true }).fill("");

/** Back in the wizard to its first step. */
async function backToLink(page: Page, language: Language, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await button(page, textsIn(language).filter.steps.back).click();
  await clearLink(page, language);
}

const tab = (view: "list" | "map" | "market" | "settings") => (page: Page, language: Language) =>
  link(page, textsIn(language).finds.views[view]).click();

const ofFold = (name: "rules" | "loud"): Way => ({
  as: "one-search",
  from: "/filter-settings",
  press: (page, language) => filterPageIn(page, language).fold(textsIn(language).filter.folds[name]).click(),
});

const FINDS = { as: "searches", from: "/finds" } as const;
const MAP: Way = { ...FINDS, press: tab("map"), needsData: true };
const WIZARD = { as: "newcomer", from: "/filter-settings" } as const;

export const WAYS: Readonly<Record<string, Way>> = {
  "features/auth/auth-dialog.tsx": {
    as: "guest",
    from: "/",
    press: async (page, language) => {
      await openMenu(page, language);
      await button(page, textsIn(language).common.header.signIn).click();
    },
  },
  "features/auth/auth-outcome.tsx": {
    as: "guest",
    from: "/?error=server_error&error_code=unexpected_failure",
  },
  "node_modules/@supabase/supabase-js/dist/index.mjs": {
    as: "guest",
    from: "/",
    press: async (page, language) => {
      const { auth } = textsIn(language);
      await WAYS["features/auth/auth-dialog.tsx"]?.press?.(page, language);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(auth.fields.email.label).fill("ana@example.com");
      await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill("correct horse");
      await submitSignIn(page, language);
    },
    needsData: true,
    pressAgain: submitSignIn,
  },
  "node_modules/@supabase/postgrest-js/dist/index.mjs": {
    as: "guest",
    from: "/",
    quiet: "the demo then shows its examples",
  },
  "app/offline/offline-store.ts": {
    ...FINDS,
    quiet: "it stores what the page shows; nobody waits for it",
  },
  "components/parts/conflict-list.tsx": { ...FINDS, quiet: "it comes with an answer of the server" },
  "components/ui/dropdown-menu.tsx": {
    as: "guest",
    from: "/terms",
    width: 1024,
    press: (page, language) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: textsIn(language).common.header.theme })
        .click(),
  },
  "features/layout/menu-items.tsx": {
    as: "guest",
    from: "/terms",
    width: 1024,
    press: (page, language) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: textsIn(language).common.header.language })
        .click(),
  },
  "components/ui/toaster.tsx": {
    ...FINDS,
    needsData: true,
    press: (page, language) => button(page, textsIn(language).finds.actions.keep).click(),
  },
  "features/filter-settings/rules/rules-part.tsx": ofFold("rules"),
  "features/filter-settings/watch/summary-switch.tsx": ofFold("loud"),
  "features/finds/list/left-out/left-out.tsx": {
    ...FINDS,
    press: async (page, language) => {
      await button(page, textsIn(language).finds.states.more).click();
      await link(page, textsIn(language).finds.chips["left-out"]).click();
    },
    leave: goBack,
  },
  "features/finds/market/market-view.tsx": {
    ...FINDS,
    press: tab("market"),
    leave: tab("list"),
  },
  "features/finds/settings/finds-settings.tsx": {
    ...FINDS,
    press: tab("settings"),
    leave: tab("list"),
  },
  "components/map/pick-place.tsx": {
    as: "searches",
    from: "/finds?view=settings",
    needsData: true,
    press: (page, language) => button(page, textsIn(language)["finds-settings"].places.add).click(),
  },
  "features/finds/map/finds-map.tsx": { ...MAP, leave: tab("list") },
  "core/zones/madrid.ts": MAP,
  "core/zones/barcelona.ts": { ...MAP, quiet: "loaded like Madrid, for finds in Barcelona" },
  "core/zones/valencia.ts": { ...MAP, quiet: "loaded like Madrid, for finds in Valencia" },
  "features/finds/home/opened-home.tsx": {
    ...FINDS,
    press: (page) => page.getByRole("article").first().getByRole("link").first().click(),
    leave: goBack,
  },
  "features/finds/list/keys-dialog.tsx": {
    ...FINDS,
    needsData: true,
    press: async (page) => {
      await expect(page.getByRole("article").first()).toBeVisible();
      await page.keyboard.press("?");
    },
    leave: closeByKey,
  },
  "features/account/search-names.tsx": { as: "searches", from: "/profile" },
  "features/filter-settings/searches/search-list.tsx": { as: "searches", from: "/filter-settings" },
  "features/filter-settings/edit/edit-form.tsx": { as: "one-search", from: "/filter-settings" },
  // Before the parts that it is shown with, as the questions below.
  "components/map/area-picture.tsx": {
    ...WIZARD,
    press: (page, language) => fillWizard(page, language, 1),
    leave: clearLink,
  },
  "features/filter-settings/chats/chats-part.tsx": {
    ...WIZARD,
    press: async (page, language) => {
      await fillWizard(page, language, 1);
      await button(page, textsIn(language).filter.steps.next).click();
    },
    leave: (page, language) => backToLink(page, language, 1),
  },
  "features/filter-settings/search/search-questions.tsx": {
    ...WIZARD,
    press: (page, language) => button(page, textsIn(language).filter.questions.noLink).click(),
    leave: (page, language) => button(page, textsIn(language).filter.questions.noLink).click(),
  },
  "features/filter-settings/search/listing-link.tsx": {
    ...WIZARD,
    press: (page, language) =>
      page
        .getByLabel(textsIn(language).filter.url.label, { exact: true })
        .fill("https://www.idealista.com/inmueble/1/"),
    leave: clearLink,
  },
  "node_modules/uqr/dist/index.mjs": {
    ...WIZARD,
    width: 1024,
    needsData: true,
    press: async (page, language) => {
      await fillWizard(page, language, 1);
      await button(page, textsIn(language).filter.steps.next).click();
    },
  },
  "features/filter-settings/wizard/review.tsx": {
    ...WIZARD,
    needsData: true,
    press: async (page, language) => {
      await fillWizard(page, language, 2);
      await button(page, textsIn(language).filter.steps.toReview).click();
    },
    leave: (page, language) => backToLink(page, language, 2),
  },
  "features/filter-settings/form/leave-dialog.tsx": {
    ...WIZARD,
    press: async (page, language) => {
      await fillWizard(page, language, 1);
      await page.getByRole("banner").getByRole("link").first().click();
    },
    leave: async (page, language) => {
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: textsIn(language).filter.leave.stay })
        .last()
        .click();
      await clearLink(page, language);
    },
  },
  "app/routes/home.tsx": {
    as: "guest",
    from: "/terms",
    press: (page) => page.getByRole("banner").getByRole("link").first().click(),
  },
  "app/routes/legal.tsx": { as: "guest", from: "/", press: footer("terms") },
  "app/routes/finds.tsx": {
    as: "one-search",
    from: "/profile",
    press: async (page, language) => {
      await openMenu(page, language);
      await page
        .getByRole("banner")
        .getByRole("link", { name: textsIn(language).common.header.finds })
        .click();
    },
    width: 390,
    leave: goBack,
  },
  "app/routes/profile.tsx": {
    as: "one-search",
    from: "/finds",
    press: async (page, language) => {
      await openMenu(page, language);
      await page
        .getByRole("banner")
        .getByRole("link", { name: textsIn(language).common.header.profile })
        .click();
    },
    width: 390,
  },
  "app/routes/filter-settings.tsx": {
    as: "one-search",
    from: "/profile",
    press: async (page, language) => {
      await openMenu(page, language);
      const name = textsIn(language).common.header.filterSettings;
      await page.getByRole("banner").getByRole("link", { name }).click();
    },
    width: 390,
    leave: goBack,
  },
  // All are opened as documents: from a mail, and by a mistyped address.
  "app/routes/reset-password.tsx": { as: "guest", from: "/reset-password" },
  "app/routes/confirm-email.tsx": { as: "guest", from: "/confirm-email" },
  "app/routes/measured.tsx": { as: "guest", from: "/measured" },
  "app/routes/stop-mails.tsx": { as: "guest", from: "/stop-mails" },
  "app/routes/not-found.tsx": { as: "guest", from: "/nothing-here" },
};

export const addressOf = ({ from }: Way, language: Language) => localizedPath(from, language);
