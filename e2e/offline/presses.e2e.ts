// Everything that can be pressed on every page is pressed without a connection: the frame stays, and each press changes or
// says something within four seconds.
import { expect } from "@playwright/test";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { isInApp } from "#web/lib/mini-app/is-in-app.ts";
import { PAGE_PATHS } from "#web/lib/site/page-paths.ts";
import { MADRID } from "../support/filter-page.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";
import { tagOf, WIDTHS } from "./page-at-rest.ts";
import { type Outcome, pressEverything } from "./press-everything.ts";

interface Visitor {
  as: string;
  paths: string[];
  /** Absent for a guest. */
  prepare?(person: Person): Promise<unknown>;
  /** The frame is the same on all pages, so one guest and one person press it. */
  withFrame?: true;
  skipped?(texts: ReturnType<typeof textsIn>): string[];
  /** Stands for the others in `npm test`. */
  isShort?: true;
}

/** Ends the visit. */
const signOut: Visitor["skipped"] = ({ common }) => [common.header.signOut];
/** After zooming in and out it has nothing to change. */
const showAll: Visitor["skipped"] = ({ map }) => [map.showAll];

const VISITORS: readonly Visitor[] = [
  { as: "a guest", paths: ["/", "/measured", "/privacy", "/terms"], withFrame: true },
  { as: "a guest", paths: ["/reset-password", "/confirm-email", "/stop-mails", "/nothing-here"] },
  { as: "a newcomer", paths: ["/filter-settings", "/finds"], prepare: async () => undefined },
  { as: "a person with one search", paths: ["/filter-settings"], prepare: addSearch, isShort: true },
  // The form of one of several searches is that of a single search.
  {
    as: "a person with searches",
    paths: ["/filter-settings", "/filter-settings?search=new"],
    prepare: addSearchesAndFinds,
  },
  { as: "a person with finds", paths: ["/finds"], prepare: addSearchesAndFinds },
  {
    as: "a person with finds",
    paths: ["/finds?view=map", "/finds?view=market", "/finds?view=settings"],
    prepare: addSearchesAndFinds,
    skipped: showAll,
  },
  {
    as: "a person with one search",
    paths: ["/profile"],
    prepare: addSearch,
    withFrame: true,
    skipped: signOut,
  },
];

/** What is shown only once, for example after a change that cannot be made twice. */
const MOST_UNREACHED = 3;

test("CALM-01 everything is pressed on every page", () => {
  const visited = VISITORS.flatMap(({ paths }) => paths.map((path) => path.replace(/\?.*/, "")));
  // Below /app are the same pages in the frame for Telegram.
  const paths = PAGE_PATHS.filter((path) => !isInApp(path));
  expect(visited).toEqual(expect.arrayContaining(paths));
});

for (const language of LANGUAGES) {
  for (const width of WIDTHS) {
    for (const { as, paths, prepare, withFrame = false, skipped, isShort } of VISITORS) {
      test(
        `CALM-01 CALM-03 without a connection every press of ${as} is answered: ${paths.join(", ")} (${language}, ${width} px)`,
        tagOf(isShort === true, language, width),
        async ({ page, baseURL }) => {
          await page.setViewportSize({ width, height: 844 });
          await page.clock.install();
          if (prepare) {
            const person = await signUp(baseURL ?? "", "Ana García");
            await prepare(person);
            await signIn(page, person);
          }
          const pressed = new Set<string>();
          const names = skipped?.(textsIn(language)) ?? [];
          const outcomes: Outcome[] = [];
          for (const path of paths) {
            const visit = {
              page,
              language,
              address: localizedPath(path, language),
              pressed,
              withFrame,
              skipped: names,
            };
            outcomes.push(await test.step(path, () => pressEverything(visit)));
          }
          expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
          const unreached = outcomes.flatMap((one) => one.unreached);
          expect(unreached.length, unreached.join("\n")).toBeLessThanOrEqual(MOST_UNREACHED);
          const left = [...new Set(outcomes.flatMap((one) => one.skipped))];
          // On a wide screen the account's menu is a part of its own, which is not loaded yet.
          expect(left).toEqual(width < 768 ? names : names.filter((name) => left.includes(name)));
        },
      );
    }
  }
}

async function addSearchesAndFinds(person: Person): Promise<void> {
  const ids = await addSearches(person);
  const homes = newCodes(4).map((id, place) => ({
    id,
    priceEur: 1_250_000,
    minutesAgo: 5 + place,
    street: `Calle de Prueba, ${place}`,
  }));
  await addFinds(person, homes, ids);
}

function addSearch({ id }: Person) {
  return inDatabase(
    (sql) => sql`
      insert into filter_settings (user_id, filter_url, receiver_ids) values (${id}, ${MADRID}, ${["501"]})`,
  );
}
