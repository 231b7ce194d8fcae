import { button, createDrawings, element, oneAtATime, setChildren } from "./element.ts";

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

type Told = { error?: string; message?: string; listings?: Listing[]; listing?: Listing };

type State = { listings: number; requests: Record<string, number>; faults: { fault: string }[] };

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

/** The portal tab: publish what a search asks for, change it, and make the API ill. Returns how to leave it. */
export async function showPortal(main: HTMLElement): Promise<() => void> {
  const market = element("p", { className: "muted" });
  const list = element("div", { className: "listings" });
  const faults = element("div", { className: "row" });
  const message = element("output", {});

  // The market lists what is on offer; what was withdrawn here can only be brought back from here.
  const withdrawn = new Map<string, Listing>();
  const drawingOf = createDrawings();
  const refresh = oneAtATime(async () => {
    const [state, latest] = await Promise.all([
      ask<State>("state"),
      ask<{ listings: Listing[] }>("listings?limit=30"),
    ]);
    const asked = Object.values(state.requests).reduce((sum, count) => sum + count, 0);
    market.textContent = `${state.listings.toLocaleString()} listings on the market, ${asked.toLocaleString()} API requests so far.`;
    setChildren(
      list,
      [...withdrawn.values(), ...latest.listings].map((listing) =>
        drawingOf(listing.code, listing, () => rowOf(listing, act)),
      ),
    );
    const active = new Set(state.faults.map(({ fault }) => fault));
    setChildren(
      faults,
      FAULTS.map((fault) => {
        const isActive = active.has(fault);
        return drawingOf(fault, isActive, () => faultButton(fault, isActive, act));
      }),
    );
  });
  const act = async (path: string, body?: object, method = "POST") => {
    const answer = await fetch(`/api/portal/${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    const told = (await answer.json()) as Told;
    if (told.listing?.isLive) withdrawn.delete(told.listing.code);
    else if (told.listing) withdrawn.set(told.listing.code, told.listing);
    message.textContent = answer.ok
      ? publishedNote(told.listings)
      : `The simulated portal refused: ${told.message || told.error}.`;
    await refresh();
  };

  main.append(element("div", { className: "page" }, publisher(act), message, trouble(faults), market, list));
  await refresh();
  const timer = setInterval(() => void refresh(), 5_000);
  return () => clearInterval(timer);
}

type Act = (path: string, body?: object, method?: string) => Promise<void>;

function publisher(act: Act): HTMLElement {
  const url = element("input", { type: "url", value: EXAMPLE, ariaLabel: "Search URL" });
  const form = element(
    "form",
    { className: "row" },
    url,
    element("button", { className: "main" }, "Publish a match"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act("listings", { url: url.value });
  });
  const hint = element(
    "p",
    { className: "muted" },
    "Paste any search of the portal; a new listing that it asks for appears.",
  );
  return element("section", {}, element("h2", {}, "Publish a listing"), hint, form);
}

function trouble(faults: HTMLElement): HTMLElement {
  const hint = element("p", { className: "muted" }, "How the portal's API answers until you press it again.");
  return element("section", {}, element("h2", {}, "Make the API ill"), hint, faults);
}

function faultButton(fault: string, isActive: boolean, act: Act): HTMLElement {
  const set = () => act("faults", { fault, ...(fault === "slow" ? { ms: 5_000 } : {}) });
  const made = button(fault, () => (isActive ? act("faults", undefined, "DELETE") : set()));
  made.setAttribute("aria-pressed", String(isActive));
  return made;
}

function rowOf(listing: Listing, act: Act): HTMLElement {
  const price = euros(listing.priceEur);
  const former = listing.formerPriceEur ? ` (was ${euros(listing.formerPriceEur)})` : "";
  const facts = [
    ...(listing.sizeM2 === null ? [] : [`${listing.sizeM2} m²`]),
    ...(listing.rooms === null ? [] : [listing.rooms === 1 ? "1 room" : `${listing.rooms} rooms`]),
    listing.place,
  ].join(" · ");
  const path = `listings/${listing.code}`;
  const actions = listing.isLive
    ? [
        button("Cut price 5 %", () => act(`${path}/price`, { cutPercent: 5 })),
        button("Withdraw", () => act(`${path}/withdraw`)),
        button("Re-advertise", () => act(`${path}/readvertise`)),
      ]
    : [button("Bring back", () => act(`${path}/restore`))];
  return element(
    "article",
    { className: listing.isLive ? "listing" : "listing gone" },
    element(
      "div",
      {},
      element("strong", {}, `${price}${former}`),
      ` ${listing.operation} · ${listing.title}`,
    ),
    element(
      "small",
      {},
      `${facts} · ${new Date(listing.publishedAt).toLocaleTimeString()} · ${listing.code}`,
    ),
    element("div", { className: "row" }, ...actions),
  );
}

function publishedNote(listings: Listing[] | undefined): string {
  return listings
    ? `Published: ${listings.map(({ title, place }) => `${title}, ${place}`).join("; ")}`
    : "Done.";
}

function euros(amount: number): string {
  return amount.toLocaleString(undefined, { style: "currency", currency: "EUR", maximumFractionDigits: 0 });
}

async function ask<T>(path: string): Promise<T> {
  return (await fetch(`/api/portal/${path}`)).json() as Promise<T>;
}
