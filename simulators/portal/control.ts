import { APIS, FAULTS, type Fault, type FaultName } from "./faults.ts";
import type { Advert } from "./market/advert.ts";
import { isHeld } from "./market/clock.ts";
import { elementOf, titleOf } from "./official/answer.ts";
import type { Answer } from "./official/tokens.ts";
import { publishMatching } from "./publish-matching.ts";
import { readPublishOrder } from "./read-publish-order.ts";
import type { World } from "./world.ts";

interface ControlRequest {
  readonly method: string;
  /** The path below /control, in parts. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The hand on the market: publish, cut, withdraw, break. JSON in and out; a refusal is
 * `{ error, message }`. The routes are listed in README.md beside this file.
 */
export function control(world: World, request: ControlRequest): Answer {
  const [subject, ...rest] = request.path;
  switch (`${request.method} ${subject ?? ""}`) {
    case "GET state":
      return ok(stateOf(world));
    case "GET listings":
      return rest[0] === undefined ? ok(latest(world, request.query)) : showListing(world, rest[0]);
    case "POST listings":
      return rest[0] === undefined ? publish(world, request.body) : changeListing(world, rest, request.body);
    case "GET faults":
      return ok({ faults: world.faults.list, known: FAULTS });
    case "POST faults":
      return setFault(world, request.body);
    case "DELETE faults":
      world.faults.clear();
      return ok({ faults: [] });
    case "GET ledger":
      return ok(ledgerOf(world, request.query));
    case "DELETE ledger":
      world.ledger.clear();
      return ok({});
    case "POST clock":
      return moveClock(world, request.body);
    case "POST settings":
      return changeSettings(world, request.body);
    default:
      return refusal(404, "unknown-route", `${request.method} /control/${request.path.join("/")}`);
  }
}

function stateOf(world: World) {
  const { market, limits, byUrlLimits } = world;
  return {
    now: new Date(market.now).toISOString(),
    isClockHeld: isHeld(world.clock),
    listings: market.size,
    newPerDay: market.newPerDay,
    official: { ...limits.settings, usedThisMonth: limits.usedThisMonth, limitShape: world.limitShape },
    byUrl: { ...byUrlLimits.settings, usedThisMonth: byUrlLimits.usedThisMonth },
    faults: world.faults.list,
    requests: Object.fromEntries(APIS.map((api) => [api, world.ledger.count(api)])),
  };
}

function latest(world: World, query: URLSearchParams) {
  const operation = query.get("operation");
  const propertyType = query.get("propertyType");
  const limit = Math.min(Number(query.get("limit") ?? 20) || 20, 500);
  const isFiltered = operation !== null || propertyType !== null;
  const adverts = world.market
    .latest(isFiltered ? world.market.size : limit)
    .filter((advert) => operation === null || advert.operation === operation)
    .filter((advert) => propertyType === null || advert.propertyType === propertyType)
    .slice(0, limit);
  return { listings: adverts.map(summaryOf), total: world.market.size };
}

function showListing(world: World, code: string): Answer {
  const advert = world.market.find(code);
  return advert === undefined
    ? refusal(404, world.market.isWithdrawn(code) ? "withdrawn" : "unknown-listing", code)
    : ok({ listing: summaryOf(advert), element: elementOf(advert, { circle: null, locale: "es" }) });
}

function publish(world: World, body: Readonly<Record<string, unknown>>): Answer {
  const order = readPublishOrder(body);
  if (typeof order === "string") {
    return refusal(400, "bad-order", `"${order}" is unknown or has a wrong value`);
  }
  const published: Advert[] = [];
  let ignoredTokens: readonly string[] = [];
  for (let index = 0; index < (order.count ?? 1); index += 1) {
    const outcome = publishMatching(world.market, order);
    if (!outcome.isPublished) {
      return refusal(422, outcome.reason, outcome.detail.join(", "));
    }
    published.push(outcome.advert);
    ignoredTokens = outcome.ignoredTokens;
  }
  return { status: 201, body: { listings: published.map(summaryOf), ignoredTokens } };
}

function changeListing(
  world: World,
  [code = "", deed]: readonly string[],
  body: Readonly<Record<string, unknown>>,
): Answer {
  const { market } = world;
  if (deed === "restore") {
    const restored = market.restore(code);
    return restored === undefined
      ? refusal(404, "not-withdrawn", code)
      : ok({ listing: summaryOf(restored) });
  }
  const advert = market.find(code);
  if (advert === undefined) {
    return refusal(404, "unknown-listing", code);
  }
  switch (deed) {
    case "price":
      return changePrice(world, advert, body);
    case "withdraw":
      market.withdraw(advert);
      return ok({ listing: { ...summaryOf(advert), isLive: false } });
    case "readvertise":
      return { status: 201, body: { listing: summaryOf(market.readvertise(advert)) } };
    default:
      return refusal(404, "unknown-deed", "price, withdraw, restore, readvertise");
  }
}

function changePrice(world: World, advert: Advert, body: Readonly<Record<string, unknown>>): Answer {
  const percent = typeof body.cutPercent === "number" ? body.cutPercent : 5;
  const step = advert.priceEur > 50_000 ? 1000 : 10;
  const cut = Math.max(1, Math.round((advert.priceEur * (1 - percent / 100)) / step) * step);
  const priceEur = typeof body.priceEur === "number" ? body.priceEur : cut;
  if (!(priceEur > 0)) {
    return refusal(400, "bad-price", "priceEur must be above 0");
  }
  world.market.changePrice(advert, priceEur);
  return ok({ listing: summaryOf(advert) });
}

function setFault(world: World, body: Readonly<Record<string, unknown>>): Answer {
  const name = FAULTS.find((fault: FaultName) => fault === body.fault);
  const on = Array.isArray(body.on) ? APIS.filter((api) => (body.on as unknown[]).includes(api)) : undefined;
  if (name === undefined || on?.length === 0) {
    return refusal(400, "unknown-fault", `${FAULTS.join(", ")}; on: ${APIS.join(", ")}`);
  }
  const fault: Fault = {
    fault: name,
    ...(on === undefined ? {} : { on }),
    ...(typeof body.times === "number" ? { times: Math.max(1, Math.floor(body.times)) } : {}),
    ...(typeof body.ms === "number" ? { ms: body.ms } : {}),
    ...(body.elements === "all" ? { elements: "all" as const } : {}),
  };
  world.faults.set(fault);
  return { status: 201, body: { faults: world.faults.list } };
}

function ledgerOf(world: World, query: URLSearchParams) {
  const limit = Math.min(Number(query.get("limit") ?? 100) || 100, 10_000);
  return {
    totals: Object.fromEntries(APIS.map((api) => [api, world.ledger.count(api)])),
    requests: world.ledger.latest(limit),
  };
}

function moveClock(world: World, body: Readonly<Record<string, unknown>>): Answer {
  if (!isHeld(world.clock)) {
    return refusal(409, "clock-runs", "this simulator runs on real time");
  }
  if (typeof body.advanceMs !== "number" || !(body.advanceMs >= 0)) {
    return refusal(400, "bad-clock", "advanceMs must be a number of milliseconds");
  }
  world.clock.advance(body.advanceMs);
  world.market.advanceTo(world.clock.now());
  return ok({ now: new Date(world.market.now).toISOString() });
}

function changeSettings(world: World, body: Readonly<Record<string, unknown>>): Answer {
  const { requestsPerSecond, monthlyRequests, newPerDay, limitShape } = body;
  for (const limits of [world.limits, world.byUrlLimits]) {
    if (typeof requestsPerSecond === "number" && requestsPerSecond >= 0) {
      limits.settings.requestsPerSecond = requestsPerSecond;
    }
    if (typeof monthlyRequests === "number" || monthlyRequests === null) {
      limits.settings.monthlyRequests = monthlyRequests;
    }
  }
  if (typeof newPerDay === "number" && newPerDay >= 0) {
    world.market.setNewPerDay(newPerDay);
  }
  if (limitShape === "gateway-500" || limitShape === "status-429") {
    world.limitShape = limitShape;
  }
  return ok(stateOf(world));
}

function summaryOf(advert: Advert) {
  const { spot } = advert;
  return {
    code: advert.code,
    operation: advert.operation,
    propertyType: advert.propertyType,
    title: titleOf(advert, "es"),
    priceEur: advert.priceEur,
    formerPriceEur: advert.formerPriceEur,
    sizeM2: advert.sizeM2,
    rooms: advert.rooms,
    bathrooms: advert.bathrooms,
    floor: advert.floor,
    place: [spot.neighborhood, spot.district, spot.municipality].filter((name) => name !== null).join(", "),
    locationId: spot.id,
    publishedAt: new Date(advert.publishedAt).toISOString(),
    url: `https://www.idealista.com/inmueble/${advert.code}/`,
    isLive: true,
  };
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function refusal(status: number, error: string, message: string): Answer {
  return { status, body: { error, message } };
}
