import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHeldClock } from "./market/clock.ts";
import { DEFAULT_CREDENTIALS, type PortalSimulator, startPortalSimulator } from "./start-portal-simulator.ts";

const CITY = "0-EU-ES-28-07-001-079";
const clock = createHeldClock(Date.UTC(2026, 2, 2, 10));
let portal: PortalSimulator;
let token: string;

beforeAll(async () => {
  portal = await startPortalSimulator({ clock, size: 5000, newPerDay: 0, monthlyRequests: null });
  token = (await requestToken()).body.access_token;
});
afterAll(() => portal.close());
beforeEach(() => clock.advance(1000));

interface Element {
  propertyCode: string;
  operation: string;
  price: number;
  rooms: number;
  hasLift: boolean;
  distance: string;
  tenantGender: string;
}

interface Body {
  access_token: string;
  message: string;
  httpStatus: number;
  total: number;
  totalPages: number;
  totalAppliedFilters: number;
  filter?: unknown;
  elementList: Element[];
}

async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

async function requestToken(authorization?: string, body = "grant_type=client_credentials&scope=read") {
  const { key, secret } = DEFAULT_CREDENTIALS;
  const response = await fetch(`${portal.url}/oauth/token`, {
    method: "POST",
    headers: {
      authorization: authorization ?? `Basic ${btoa(`${key}:${secret}`)}`,
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    },
    body,
  });
  return { status: response.status, body: await bodyOf(response) };
}

const home = { operation: "sale", propertyType: "homes", locationId: CITY };

async function search(parameters: Record<string, string>, init: RequestInit = {}, country = "es") {
  const response = await fetch(`${portal.url}/3.5/${country}/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams(parameters),
    ...init,
  });
  return { status: response.status, body: await bodyOf(response) };
}

describe("the token", () => {
  test("is granted for the right key and secret", async () => {
    const { status, body } = await requestToken();
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: "bearer", expires_in: 43_199, scope: "read" });
  });

  test("is refused as documented", async () => {
    expect(await requestToken("")).toEqual({
      status: 401,
      body: {
        error: "unauthorized",
        error_description: "Full authentication is required to access this resource",
      },
    });
    expect(await requestToken(`Basic ${btoa("a:b")}`)).toMatchObject({
      status: 401,
      body: { error_description: "Bad credentials" },
    });
    expect(await requestToken(undefined, "scope=read")).toEqual({
      status: 400,
      body: { error: "invalid_request", error_description: "Missing grant type" },
    });
  });

  test("expires after some twelve hours", async () => {
    const { body } = await requestToken();
    const init = { headers: { authorization: `Bearer ${body.access_token}` } };
    expect((await search(home, init)).status).toBe(200);
    clock.advance(43_199_000);
    expect(await search(home, init)).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    token = (await requestToken()).body.access_token;
  });
});

describe("the parameters", () => {
  test("are taken from a urlencoded body, a multipart body and the query alike", async () => {
    const expected = (await search(home)).body.total;
    const form = new FormData();
    for (const [name, value] of Object.entries(home)) {
      form.set(name, value);
    }
    clock.advance(1000);
    expect((await search({}, { body: form })).body.total).toBe(expected);
    clock.advance(1000);
    const response = await fetch(`${portal.url}/3.5/es/search?${new URLSearchParams(home)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await bodyOf(response)).total).toBe(expected);
  });

  test.each([
    [{ propertyType: "homes" }, "operation is required"],
    [{ operation: "buy" }, "Invalid value. Accepted values for operation are: sale, rent"],
    [{ ...home, sinceDate: "T" }, "Invalid value. Accepted values for sinceDate are: W, M, Y"],
    [
      { ...home, operation: "rent", sinceDate: "Y" },
      "Invalid value. Accepted values for sinceDate are: W, M, T",
    ],
    [{ ...home, maxItems: "51" }, "Invalid value. Accepted values for maxItems are: 1..50"],
    [{ ...home, bedrooms: "2,9" }, "Invalid value. Accepted values for bedrooms are: 0, 1, 2, 3, 4"],
    [{ ...home, sort: "down" }, "Invalid value. Accepted values for sort are: asc, desc"],
    [{ ...home, propertyType: "bedrooms" }, /Accepted values for propertyType are: homes/],
    [{ ...home, order: "ratioeurm2" }, /Accepted values for order are: distance/],
    [{ operation: "sale", propertyType: "homes" }, /locationId is required/],
  ])("%o are refused with the accepted values", async (parameters, message) => {
    const answer = await search(parameters as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body.httpStatus).toBe(400);
    expect(answer.body.message).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });

  test("an unknown place gives 404, a known one without listings an empty 200", async () => {
    expect(await search({ ...home, locationId: `${CITY}-99` })).toEqual({
      status: 404,
      body: { message: "the locationId doesn't exist", httpStatus: 404 },
    });
    clock.advance(1000);
    expect(await search({ ...home, locationId: "0-EU-ES-50" })).toMatchObject({
      status: 200,
      body: { total: 0, elementList: [] },
    });
  });

  test("terrance is a filter, terrace is ignored and not counted", async () => {
    const all = await search(home);
    clock.advance(1000);
    const misspelt = await search({ ...home, terrace: "true" });
    clock.advance(1000);
    const filtered = await search({ ...home, terrance: "true" });
    expect(misspelt.body).toMatchObject({ total: all.body.total, totalAppliedFilters: 0 });
    expect(filtered.body.totalAppliedFilters).toBe(1);
    expect(filtered.body.total).toBeGreaterThan(0);
    expect(filtered.body.total).toBeLessThan(all.body.total / 2);
  });

  test("a price band and a since date count as two applied filters", async () => {
    const { body } = await search({ ...home, minPrice: "100000", maxPrice: "900000", sinceDate: "W" });
    expect(body.totalAppliedFilters).toBe(2);
  });

  test("limits are inclusive and groups of rooms are alternatives", async () => {
    const { body } = await search({
      ...home,
      bedrooms: "2,4",
      maxPrice: "600000",
      elevator: "true",
      maxItems: "50",
    });
    expect(body.elementList.length).toBe(50);
    for (const element of body.elementList) {
      expect([2, 4, 5, 6, 7, 8, 9]).toContain(element.rooms);
      expect(element.price).toBeLessThanOrEqual(600_000);
      expect(element.hasLift).toBe(true);
    }
  });

  test("a centre and a distance select by the published position, and the answer has the distance", async () => {
    const { body } = await search({
      operation: "sale",
      propertyType: "homes",
      center: "40.4168,-3.7038",
      distance: "1500",
    });
    expect(body.elementList.length).toBe(20);
    for (const element of body.elementList) {
      expect(Number(element.distance)).toBeLessThanOrEqual(1500);
    }
    expect(body.filter).toBeUndefined();
  });

  test.each(["offices", "premises", "garages", "homes"])(
    "%s are listed for sale and for rent",
    async (propertyType) => {
      for (const operation of ["sale", "rent"]) {
        clock.advance(1000);
        const { body } = await search({ operation, propertyType, locationId: CITY });
        expect(body.elementList.length).toBeGreaterThan(0);
        expect(body.elementList[0]?.operation).toBe(operation);
      }
    },
  );

  test("rooms to let have the number of tenants", async () => {
    const { body } = await search({
      operation: "rent",
      propertyType: "bedrooms",
      locationId: CITY,
      newGender: "female",
    });
    expect(body.elementList[0]).toMatchObject({ propertyType: "room", tenantNumber: expect.any(Number) });
    expect(body.elementList.every((e) => e.tenantGender !== "male")).toBe(true);
  });
});

describe("the answer", () => {
  test("has pages newest first, and past the end nothing with the same total", async () => {
    const request = {
      ...home,
      locationId: `${CITY}-07`,
      order: "publicationDate",
      sort: "desc",
      maxItems: "50",
    };
    const first = (await search(request)).body;
    clock.advance(1000);
    const past = await search({ ...request, numPage: String(first.totalPages + 1) });
    expect(first).toMatchObject({ actualPage: 1, itemsPerPage: 50, filter: { locationName: "Chamberí" } });
    const dates = first.elementList.map((e) => portal.market.find(e.propertyCode)?.publishedAt);
    expect(dates).toEqual(dates.toSorted((a = 0, b = 0) => b - a));
    expect(past).toMatchObject({ status: 200, body: { elementList: [], total: first.total } });
  });

  test("has no dates, amenities, advertiser or location id", async () => {
    const { body } = await search(home);
    const text = JSON.stringify(body.elementList);
    expect(text).not.toMatch(/publi|features|locationId|contactInfo|terrance|swimming/i);
  });
});

describe("the limits", () => {
  test("a second request within a second is refused, in both formats of the gateway", async () => {
    await search(home);
    expect(await search(home)).toMatchObject({
      status: 500,
      body: { fault: { detail: { errorcode: "policies.ratelimit.SpikeArrestViolation" } } },
    });
    portal.limitShape = "status-429";
    expect((await search(home)).status).toBe(429);
    portal.limitShape = "gateway-500";
  });

  test("after the monthly quota is used up, requests are refused until the next month", async () => {
    portal.limits.settings.monthlyRequests = portal.limits.usedThisMonth;
    expect(await search(home)).toMatchObject({
      status: 500,
      body: { fault: { detail: { errorcode: "policies.ratelimit.QuotaViolation" } } },
    });
    clock.advance(31 * 86_400_000);
    token = (await requestToken()).body.access_token;
    expect((await search(home)).status).toBe(200);
    portal.limits.settings.monthlyRequests = null;
  });
});

test("the ledger records requests without secrets", async () => {
  portal.ledger.clear();
  await search({ ...home, maxPrice: "300000" });
  expect(portal.ledger.count("search")).toBe(1);
  expect(portal.ledger.latest(1)[0]).toMatchObject({
    api: "search",
    status: 200,
    parameters: { maxPrice: "300000" },
  });
  expect(JSON.stringify(portal.ledger.latest(9))).not.toContain(token);
});
