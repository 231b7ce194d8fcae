import { act, ask, oneAtATime } from "./api.ts";
import { button, choiceButton, createList, element, form } from "./element.ts";
import { createSavedSearches } from "./saved-searches.ts";

type Listing = {
  code: string;
  operation: "rent" | "sale";
  title: string;
  priceEur: number;
  formerPriceEur: number | null;
  sizeM2: number | null;
  rooms: number | null;
  place: string;
  publishedAt: string;
  isLive: boolean;
};

type Done = { listings?: Listing[]; listing?: Listing };
type State = { listings: number; requests: Record<string, number>; faults: { fault: string }[] };
type Act = (path: string, body?: object, method?: string) => Promise<void>;

const EXAMPLE = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";
const FAULTS = [
  "down",
  "slow",
  "rate-limited",
  "quota-spent",
  "server-error",
  "captcha",
  "truncated",
  "empty",
];

/** Publishes listings that match a search, changes them, and makes the API fail. Returns a function that cleans up. */
export async function showPortal(ground: HTMLElement): Promise<() => void> {
  const market = element("p", { className: "muted" });
  const list = element("div", { className: "listings" });
  const faults = element("div", { className: "row" });
  const message = element("output", {});

  // The API lists only active listings, so the page remembers those it has withdrawn in order to restore them.
  const withdrawn = new Map<string, Listing>();
  const doIt: Act = async (path, body, method) => {
    try {
      const { listing, listings } = await act<Done>(`portal/${path}`, body, method);
      if (listing?.isLive) withdrawn.delete(listing.code);
      else if (listing) withdrawn.set(listing.code, listing);
      message.textContent = listings ? publishedNote(listings) : "Done.";
    } catch (error) {
      message.textContent = `The simulated portal refused: ${error instanceof Error ? error.message : error}.`;
    }
    await refresh();
  };
  const showList = createList<Listing>(
    list,
    ({ code }) => code,
    (listing) => listingRow(listing, doIt),
  );
  const saved = createSavedSearches(doIt);
  const showFaults = createList<{ fault: string; isOn: boolean }>(
    faults,
    ({ fault }) => fault,
    ({ fault, isOn }) =>
      choiceButton(fault, isOn, () =>
        isOn
          ? doIt("faults", {}, "DELETE")
          : doIt("faults", { fault, ...(fault === "slow" ? { ms: 5_000 } : {}) }),
      ),
  );
  const refresh = oneAtATime(async () => {
    const [state, latest] = await Promise.all([
      ask<State>("portal/state"),
      ask<{ listings: Listing[] }>("portal/listings?limit=30"),
      saved.refresh(),
    ]);
    const asked = Object.values(state.requests).reduce((sum, count) => sum + count, 0);
    market.textContent = `${state.listings.toLocaleString()} listings on the market, ${asked.toLocaleString()} API requests so far.`;
    showList([...withdrawn.values(), ...latest.listings]);
    showFaults(FAULTS.map((fault) => ({ fault, isOn: state.faults.some((one) => one.fault === fault) })));
  });

  const url = element("input", { type: "url", value: EXAMPLE, ariaLabel: "Search URL" });
  const publish = element("button", { className: "main" }, "Publish a match");
  ground.append(
    element(
      "div",
      { className: "page" },
      section(
        "Publish a listing",
        "Paste any search of the portal; a new listing that it asks for appears.",
        form([url, publish], () => doIt("listings", { url: url.value })),
      ),
      saved.element,
      message,
      section("Make the API ill", "How the portal's API answers until you press it again.", faults),
      market,
      list,
    ),
  );
  await refresh();
  const timer = setInterval(() => void refresh(), 5_000);
  return () => clearInterval(timer);
}

function section(title: string, hint: string, content: HTMLElement): HTMLElement {
  return element(
    "section",
    {},
    element("h2", {}, title),
    element("p", { className: "muted" }, hint),
    content,
  );
}

function listingRow(listing: Listing, doIt: Act): HTMLElement {
  const { code, operation, title, priceEur, formerPriceEur, sizeM2, rooms, place, isLive } = listing;
  const former = formerPriceEur ? ` (was ${euros(formerPriceEur)})` : "";
  const facts = [
    ...(sizeM2 === null ? [] : [`${sizeM2} m²`]),
    ...(rooms === null ? [] : [rooms === 1 ? "1 room" : `${rooms} rooms`]),
    place,
    new Date(listing.publishedAt).toLocaleTimeString(),
    code,
  ];
  const actions = isLive
    ? [
        button("Cut price 5 %", () => doIt(`listings/${code}/price`, { cutPercent: 5 })),
        button("Withdraw", () => doIt(`listings/${code}/withdraw`)),
        button("Re-advertise", () => doIt(`listings/${code}/readvertise`)),
      ]
    : [button("Bring back", () => doIt(`listings/${code}/restore`))];
  const price = element("strong", {}, `${euros(priceEur)}${former}`);
  return element(
    "article",
    { className: isLive ? "listing" : "listing gone" },
    element("div", {}, price, ` ${operation} · ${title}`),
    element("small", {}, facts.join(" · ")),
    element("div", { className: "row" }, ...actions),
  );
}

function publishedNote(listings: Listing[]): string {
  return `Published: ${listings.map(({ title, place, code }) => `${title}, ${place} (${code})`).join("; ")}`;
}

function euros(amount: number): string {
  return amount.toLocaleString(undefined, { style: "currency", currency: "EUR", maximumFractionDigits: 0 });
}
