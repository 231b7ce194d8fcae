import { type Context, Hono } from "hono";
import { z } from "zod";
import type { SavedSearches } from "./alert-mails/saved-searches.ts";
import { APIS, FAULTS, type Faults } from "./faults.ts";
import type { Ledger } from "./gateway.ts";
import type { Advert } from "./market/advert.ts";
import type { Market } from "./market/market.ts";
import { titleOf } from "./official/answer.ts";
import { publishMatching } from "./publish-matching.ts";

const amount = z.number().nonnegative().lt(1e10);
const publishOrder = z.strictObject({
  url: z.string().min(1).max(4096),
  fields: z
    .strictObject({
      priceEur: amount,
      sizeM2: amount,
      rooms: amount.int(),
      bathrooms: amount.int(),
      floor: z.string(),
      hasLift: z.boolean(),
      isExterior: z.boolean(),
    })
    .partial()
    .optional(),
});
const priceOrder = z.union([
  z.strictObject({ priceEur: z.number().positive() }),
  z.strictObject({ cutPercent: z.number().gt(0).lt(100) }),
]);
const faultOrder = z.strictObject({
  fault: z.enum(FAULTS),
  on: z.array(z.enum(APIS)).nonempty().optional(),
  times: z.int().positive().optional(),
  ms: z.number().positive().optional(),
  elements: z.enum(["one", "all"]).optional(),
});

const saveOrder = z.strictObject({ url: z.string().min(1).max(4096), email: z.email().max(254) });

type Controlled = { market: Market; faults: Faults; ledger: Ledger; savedSearches: SavedSearches | null };

/** The control API: publishes, changes and withdraws listings, and sets faults. README.md lists the routes. */
export function controlRoutes({ market, faults, ledger, savedSearches }: Controlled): Hono {
  const app = new Hono();
  app.get("/state", (context) =>
    context.json({
      listings: market.size,
      newPerDay: market.newPerDay,
      faults: faults.list,
      requests: Object.fromEntries(APIS.map((api) => [api, ledger.count(api)])),
    }),
  );
  app.get("/listings", (context) => {
    const limit = Math.min(Number(context.req.query("limit")) || 20, 500);
    return context.json({ listings: market.latest(limit).map((advert) => summaryOf(advert)) });
  });
  app.post("/listings", (context) =>
    withOrder(context, publishOrder, (order) => {
      // Fields that were not sent are absent, whatever their type says.
      const outcome = publishMatching(market, order as Parameters<typeof publishMatching>[1]);
      return outcome.isPublished
        ? context.json({ listings: [summaryOf(outcome.advert)], unknownTokens: outcome.unknownTokens }, 201)
        : refuse(context, 422, outcome.reason, outcome.detail);
    }),
  );
  app.post("/listings/:code/restore", (context) => {
    const advert = market.restore(context.req.param("code"));
    return advert ? context.json({ listing: summaryOf(advert) }) : unknownListing(context);
  });
  app.post("/listings/:code/price", (context) =>
    withOrder(context, priceOrder, (order) =>
      withAdvert(context, market, (advert) => {
        market.changePrice(advert, "priceEur" in order ? order.priceEur : cutPrice(advert, order.cutPercent));
        return context.json({ listing: summaryOf(advert) });
      }),
    ),
  );
  app.post("/listings/:code/withdraw", (context) =>
    withAdvert(context, market, (advert) => {
      market.withdraw(advert);
      return context.json({ listing: summaryOf(advert, false) });
    }),
  );
  app.post("/listings/:code/readvertise", (context) =>
    withAdvert(context, market, (advert) =>
      context.json({ listing: summaryOf(market.readvertise(advert)) }, 201),
    ),
  );
  app.get("/saved-searches", (context) => context.json({ savedSearches: savedSearches?.list ?? [] }));
  app.post("/saved-searches", (context) =>
    withOrder(context, saveOrder, ({ url, email }) => {
      const outcome = savedSearches?.save(url, email) ?? { isSaved: false, reason: "no-mails" };
      return outcome.isSaved
        ? context.json({ savedSearch: outcome.saved }, 201)
        : refuse(context, 422, outcome.reason, "");
    }),
  );
  app.delete("/saved-searches/:id", (context) =>
    savedSearches?.remove(context.req.param("id"))
      ? context.json({ savedSearches: savedSearches.list })
      : refuse(context, 404, "unknown-search", ""),
  );
  app.post("/faults", (context) =>
    withOrder(context, faultOrder, (fault) => {
      faults.set(fault);
      return context.json({ faults: faults.list }, 201);
    }),
  );
  app.delete("/faults", (context) => {
    faults.clear();
    return context.json({ faults: [] });
  });
  return app;
}

async function withOrder<T>(
  context: Context,
  schema: z.ZodType<T>,
  act: (order: T) => Response,
): Promise<Response> {
  const order = schema.safeParse(await context.req.json().catch(() => undefined));
  return order.success ? act(order.data) : refuse(context, 400, "bad-order", z.prettifyError(order.error));
}

function withAdvert(context: Context, market: Market, act: (advert: Advert) => Response): Response {
  const advert = market.find(context.req.param("code") ?? "");
  return advert === undefined ? unknownListing(context) : act(advert);
}

function unknownListing(context: Context): Response {
  return refuse(context, 404, "unknown-listing", context.req.param("code") ?? "");
}

function refuse(context: Context, status: 400 | 404 | 422, error: string, message: string): Response {
  return context.json({ error, message }, status);
}

function cutPrice({ priceEur }: Advert, percent: number): number {
  const step = priceEur > 50_000 ? 1000 : 10;
  return Math.max(1, Math.round((priceEur * (1 - percent / 100)) / step) * step);
}

function summaryOf(advert: Advert, isLive = true) {
  const { code, operation, propertyType, priceEur, formerPriceEur, sizeM2, rooms, bathrooms, floor, spot } =
    advert;
  return {
    ...{ code, operation, propertyType, priceEur, formerPriceEur, sizeM2, rooms, bathrooms, floor },
    title: titleOf(advert),
    place: [spot.neighborhood, spot.district, spot.municipality].filter((name) => name !== null).join(", "),
    locationId: spot.id,
    publishedAt: new Date(advert.publishedAt).toISOString(),
    isLive,
  };
}
