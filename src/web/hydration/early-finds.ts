/**
 * The first finds, or the one that the address opens, requested and drawn before the application is loaded: on a weak signal its files take several seconds. The cards
 * look like those of features/finds/list/card, but nothing can be done with them yet. Must not depend on React.
 */
import type { FoundHome } from "#core/finds/find.ts";
import { isLanguage, type Language } from "#core/languages.ts";
import { factsOf, homeLine, placeOf, pricePerM2Line } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import type { Words } from "#text/namespaces.ts";
import { plainTexts } from "#text/plain-texts.ts";
import { requestFindEarly, requestFindsEarly } from "../lib/backend/finds.ts";
import { loadConfig } from "../lib/backend/site-config.ts";
import { nextTask } from "../lib/browser/next-task.ts";
import { isInApp } from "../lib/mini-app/is-in-app.ts";
import { EARLY_PLACE_ID } from "../lib/site/constants.ts";
import { readPageData } from "../lib/site/page-data.ts";

const SHOWN = 3;

/** `onSent`: nothing is asked any more, and other requests no longer delay this one. */
export async function showFindsEarly(onSent: () => void): Promise<void> {
  // Then the request begins in the task that asks for it.
  await loadConfig();
  if (isInApp(window.location.pathname)) {
    const { signInToApp } = await import("../lib/mini-app/app-session.ts");
    if ((await signInToApp()) !== undefined) return;
  }
  const listingId = new URLSearchParams(window.location.search).get("home");
  const asked = listingId === null ? requestFindsEarly() : requestFindEarly(listingId);
  void nextTask().then(onSent);
  const answer = await asked;
  if (!answer) return;
  draw("finds" in answer ? answer.finds.filter(({ mark }) => mark !== "hidden") : [answer]);
}

function draw(finds: readonly FoundHome[]): void {
  const place = document.getElementById(EARLY_PLACE_ID);
  const language = document.documentElement.lang;
  // After hydration the application shows them itself.
  if (!place || window.preHydration?.state === "hydrated" || !isLanguage(language)) return;
  if (finds.length > 0) place.append(frame(finds.slice(0, SHOWN), language));
}

function frame(homes: readonly FoundHome[], language: Language): HTMLElement {
  const { texts } = readPageData().data;
  const t = plainTexts(texts.finds as object, language);
  const words = { language, t: plainTexts(texts.home as object, language) } as Words<"home">;
  const views = ["list", "map", "market", "settings"].map((view) =>
    element("li", "flex min-h-11 items-center font-semibold text-muted first:text-ink", t(`views.${view}`)),
  );
  return element(
    "div",
    "mx-auto grid max-w-6xl grid-cols-1 content-start gap-3 px-4 pt-2 sm:gap-4 sm:px-5 sm:pt-5 md:gap-6 md:px-6 md:pt-10",
    element(
      "div",
      "flex flex-wrap items-end justify-between gap-x-8 gap-y-1 border-b border-line",
      element("h1", "text-xl max-sm:basis-full sm:pb-2 sm:text-3xl md:text-4xl", t("title")),
      element("ul", "flex gap-5 sm:gap-6", ...views),
    ),
    element(
      "div",
      "grid grid-cols-1 gap-3 sm:gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8",
      element("div", "h-11"),
      element("div", "grid grid-cols-1 gap-3 sm:gap-4", ...homes.map((home) => card(home, words))),
    ),
  );
}

function card(home: FoundHome, words: Words<"home">): HTMLElement {
  const { pictureUrl, priceEur } = home;
  const perM2 = pricePerM2Line(home, words);
  const head = element(
    "div",
    "grid min-w-0 content-start gap-0.5 sm:px-5 sm:pt-4",
    element("p", "text-sm text-muted", placeOf(home) ?? ""),
    element("p", "text-base-lg leading-snug font-bold tracking-[-0.02em]", homeLine(home, words)),
    ...(priceEur === null
      ? []
      : [
          element(
            "p",
            "figures text-2xl leading-tight font-bold tracking-tight",
            formatPrice(priceEur, words.language),
          ),
        ]),
  );
  const rest = element(
    "div",
    "col-span-full grid min-w-0 content-start gap-1 sm:col-span-1 sm:col-start-[-2] sm:px-5",
    element("p", "figures text-md leading-snug", factsOf(home, words).join("\u00a0· ")),
    ...(perM2 === null ? [] : [element("p", "figures text-sm leading-snug text-muted", perM2)]),
  );
  const columns = pictureUrl?.startsWith("https://")
    ? "grid-cols-[6.5rem_minmax(0,1fr)] sm:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[19.5rem_minmax(0,1fr)]"
    : "grid-cols-1";
  return element(
    "div",
    `grid min-h-60 content-start gap-x-3 gap-y-1.5 overflow-hidden rounded-2xl border border-line bg-surface max-sm:p-3 sm:gap-x-0 ${columns}`,
    ...(pictureUrl?.startsWith("https://") ? [photo(pictureUrl)] : []),
    head,
    rest,
  );
}

function photo(url: string): HTMLElement {
  const image = document.createElement("img");
  image.src = url;
  image.alt = "";
  image.className = "absolute inset-0 size-full object-cover";
  return element(
    "div",
    "relative min-h-26 overflow-hidden bg-chat max-sm:rounded-xl sm:row-span-2 sm:min-h-60",
    image,
  );
}

function element(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}
