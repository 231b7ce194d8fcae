import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({
    TRUSTED_PROXIES: "1",
    API_REQUESTS_PER_MINUTE_PER_ADDRESS: "80",
    API_REQUESTS_PER_MINUTE_PER_PERSON: "40",
  });
});

afterAll(() => product.stop());

async function ask(address: string, { path = "rest/v1/demo_listings?select=demo_id", bearer = "" } = {}) {
  const answer = await fetch(`${product.url}/${path}`, {
    headers: {
      apikey: product.publishableKey,
      "x-forwarded-for": address,
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    },
  });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
}

test("DOOR-02 an address that has used up its requests learns when to retry, and other addresses are unaffected", async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask("203.0.113.1")));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  // On a slow machine some are refused because too many run at once.
  const refused = answers.find(({ text }) => text.includes("over_request_rate_limit"));
  expect(JSON.parse(refused?.text ?? "null")).toEqual({
    code: "over_request_rate_limit",
    details: null,
    hint: null,
    message: "Too many requests; try again later",
  });
  expect(refused?.status).toBe(429);
  expect(Number(refused?.retryAfter)).toBeGreaterThanOrEqual(1);
  // The port is not part of the address.
  const again = await Promise.all(
    Array.from({ length: 20 }, (_, port) => ask(`203.0.113.1:${5_000 + port}`)),
  );
  expect(again.map(({ status }) => status)).toContain(429);
  expect((await ask("203.0.113.2")).status).toBe(200);
});

test("DOOR-02 a person has one budget for all addresses", async () => {
  const carol = await signUp(product, "carol");
  const dave = await signUp(product, "dave");
  const bearerOf = async ({ client }: typeof carol) =>
    (await client.auth.getSession()).data.session?.access_token ?? "";
  const [hers, his] = [await bearerOf(carol), await bearerOf(dave)];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => ask(`198.51.100.${index}`, { bearer: hers })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThan(0);
  expect((await ask("198.51.100.1", { bearer: his })).status).toBe(200);
  expect((await ask("198.51.100.1")).status).toBe(200);
});

test("DOOR-02 auth routes without their own limit share the address's budget", async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => ask("203.0.113.3", { path: "auth/v1/settings" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

test("BYTE-01 the bytes of a body to an auth route are charged to its address before they are read", async () => {
  const signIn = async (address: string, letters: number) => {
    const answer = await fetch(`${product.url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: {
        apikey: product.publishableKey,
        "content-type": "application/json",
        "x-forwarded-for": address,
      },
      body: JSON.stringify({ refresh_token: "x".repeat(letters) }),
    });
    return answer.status;
  };
  // Of 20 at once, each of these takes 11.
  expect([await signIn("203.0.113.4", 45_000), await signIn("203.0.113.4", 45_000)]).toEqual([400, 503]);
  expect([await signIn("203.0.113.5", 40), await signIn("203.0.113.5", 40)]).toEqual([400, 400]);
});
