// The line is cut, or scripts answer 404, before each part that loads on demand. The frame stays, the page says so, and the
// part is there after the line is back.
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { LOAD_DELAY_MS } from "#web/lib/site/constants.ts";
import { filterPageIn, MADRID } from "../support/filter-page.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";
import { goOnline } from "./connection.ts";
import { tagOf, WIDTHS } from "./page-at-rest.ts";
import { addressOf, WAYS, type Way } from "./ways-to-parts.ts";

type Report = Record<string, { part?: string; modules: Record<string, number> }>;

const report: Report = JSON.parse(readFileSync("build/bundle.json", "utf8"));
const nameOf = (module: string) => module.replace(/^\/(src\/web\/|src\/)?/, "");

/** Telegram opens these, in e2e/mini-app; and the ground of a map is usable without its borders. */
const ELSEWHERE = /\/mini-app\/|\/send-home\.tsx$|\/routes\/app(-\w+)?\.tsx$|\/core\/zones\/spain\//;

/** Among the first scripts of its page inside Telegram, and on demand elsewhere: the build does not name it as a part. */
const HOME = "/src/web/features/finds/home/opened-home.tsx";

/** What the build loads on demand: parts, and the modules of routes. */
const FILES = new Map(
  Object.entries(report).flatMap(([file, { part, modules }]) => {
    const route = Object.keys(modules).find((module) => module.startsWith("/src/web/app/routes/"));
    const name = part ?? route ?? (HOME in modules ? HOME : undefined);
    return name === undefined || ELSEWHERE.test(name) ? [] : [[nameOf(name), file] as const];
  }),
);

test("CALM-01 every part of the build has a way to reach it", () => {
  expect([...FILES.keys()].sort()).toEqual(Object.keys(WAYS).sort());
});

/** The parts that are tried on one page, one after another. */
function groupsAt(width: number): [string, Way][][] {
  const shown = Object.entries(WAYS).filter(([, { quiet }]) => quiet === undefined);
  const groups = Object.groupBy(shown, ([name, way]) =>
    way.leave ? [way.as, way.from, way.width ?? width].join(" ") : name,
  );
  return Object.values(groups).map((group) => group ?? []);
}

for (const language of LANGUAGES) {
  for (const width of WIDTHS) {
    for (const [number, group] of groupsAt(width).entries()) {
      // The first page stands for the others in `npm test`.
      const isShort = number === 0;
      const names = group.map(([name]) => name).join(", ");
      test(
        `CALM-01 without a connection, and with a 404, the frame stays and the page recovers: ${names} (${language}, ${width} px)`,
        tagOf(isShort, language, width),
        async ({ page, baseURL }) => {
          const [[, first] = []] = group;
          if (!first) return;
          await page.setViewportSize({ width: first.width ?? width, height: 844 });
          await page.clock.install();
          await arrive(page, baseURL ?? "", first);
          const files = group.map(([name]) => FILES.get(name) ?? "");
          const loaded = new Set<string>();
          page.on("response", (response) => {
            if (response.ok()) loaded.add(new URL(response.url()).pathname.slice(1));
          });
          const setFault = await failFiles(page, files);
          await page.goto(addressOf(first, language));
          if (first.press) {
            await page.mouse.move(100, 100, { steps: 2 });
            await expect.poll(() => page.evaluate("window.preHydration.state === 'hydrated'")).toBe(true);
            await expect(page.locator("[data-waiting]")).toHaveCount(0);
            await expectData(page, language, first);
          }
          for (const [name, way] of group) {
            const file = FILES.get(name) ?? "";
            await test.step(name, () => tryPart({ page, language, way, file, setFault, loaded }));
          }
        },
      );
    }
  }
}

type Fault = "cut" | "404" | "none";
/** Sets the fault of the file that is tried now. */
type SetFault = (file: string, fault: Fault) => void;

interface Trial {
  page: Page;
  language: Language;
  way: Way;
  file: string;
  setFault: SetFault;
  loaded: ReadonlySet<string>;
}

async function tryPart({ page, language, way, file, setFault, loaded }: Trial): Promise<void> {
  const { common } = textsIn(language);
  const failure = page.locator("[data-part-failure], #start-failure");
  const said = failure
    .or(
      page.locator(
        `[data-sonner-toast], main [role=alert], section[aria-label="${common.toasts.region}"] > *`,
      ),
    )
    .or(page.getByText(common.parts.offline))
    .or(page.getByText(common.parts.slow));
  const canGoOffline = way.press && !way.needsData;
  setFault(file, "cut");
  if (way.press) {
    await expect(said).toHaveCount(0);
    if (canGoOffline) await page.context().setOffline(true);
    await way.press(page, language);
  }
  await expect(said.first()).toBeInViewport();
  await expectFrame(page, language);

  if (canGoOffline) await goOnline(page.context());
  if (await failure.count()) {
    setFault(file, "404");
    await tryAgain(page);
    await expect(failure.filter({ hasText: common.parts.broken }).first()).toBeVisible();
    await expectFrame(page, language);
  }
  setFault(file, "none");
  await tryAgain(page);
  await way.pressAgain?.(page, language);
  await expect(failure).toHaveCount(0);
  await expect.poll(() => loaded.has(file)).toBe(true);
  await expectFrame(page, language);
  await way.leave?.(page, language);
}

/** What is pressed comes with the first data of the page. */
async function expectData(page: Page, language: Language, { as, from }: Way): Promise<void> {
  if (as === "newcomer") {
    await expect(page.getByLabel(textsIn(language).filter.url.label, { exact: true })).toBeVisible();
  }
  if (as === "one-search" && from === "/filter-settings") {
    await expect(filterPageIn(page, language).fold(textsIn(language).filter.folds.rules)).toBeVisible();
  }
  if (as === "searches" && from === "/finds") await expect(page.getByRole("article").first()).toBeVisible();
}

/** Pages load some parts ahead, so the files fail from the start. */
async function failFiles(page: Page, files: readonly string[]): Promise<SetFault> {
  const faults = new Map<string, Fault>(files.map((file) => [file, "cut"]));
  let current: Fault = "cut";
  await page.route(
    (url) => faults.has(url.pathname.slice(1)),
    (route) => {
      const fault = faults.get(new URL(route.request().url()).pathname.slice(1));
      if (fault === "none") return route.continue();
      return fault === "404" ? route.fulfill({ status: 404 }) : route.abort();
    },
  );
  // The page asks for itself to learn why a file is missing.
  await page.route(
    (url) => !url.pathname.includes("."),
    (route) => {
      const isProbe = route.request().resourceType() === "fetch" && !/\/v1\//.test(route.request().url());
      return isProbe && current === "cut" ? route.abort() : route.fallback();
    },
  );
  return (file, fault) => {
    current = fault;
    faults.set(file, fault);
  };
}

/** In a dialog the rest of the page is hidden from assistive technology, but it is there. */
async function expectFrame(page: Page, language: Language): Promise<void> {
  await expect(page.locator("header").first()).toBeVisible();
  await expect(page.locator("footer").last()).toBeAttached();
  await expect(page.getByRole("heading", { name: textsIn(language).common.crash.title })).toHaveCount(0);
}

/** Without a button, or if the part has loaded by itself in the meantime, the time until the next attempt passes. */
async function tryAgain(page: Page): Promise<void> {
  // The button has another name for a second after it was pressed.
  const button = page.locator("[data-part-failure] button:not([aria-label])").first();
  if (await button.count()) await button.click({ timeout: 2_000 }).catch(() => undefined);
  else await page.clock.fastForward(LOAD_DELAY_MS.longest);
}

async function arrive(page: Page, baseURL: string, { as }: Way): Promise<void> {
  if (as === "guest") return;
  const person = await signUp(baseURL, "Ana García");
  if (as === "searches") {
    await addSearches(person);
    await addFinds(person, homes(2));
  }
  if (as === "one-search") await addSearch(person);
  await signIn(page, person);
}

const homes = (count: number) =>
  newCodes(count).map((id, place) => ({
    id,
    priceEur: 1_250_000,
    minutesAgo: 5 + place,
    street: `Calle de Prueba, ${place}`,
  }));

const addSearch = ({ id }: Person) =>
  inDatabase(
    (sql) => sql`
      insert into filter_settings (user_id, filter_url, receiver_ids) values (${id}, ${MADRID}, ${["501"]})`,
  );
