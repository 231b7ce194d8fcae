import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const TOKEN = "a-token-for-metrics-0123456789";
let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({ METRICS_TOKEN: TOKEN, ROLES: "web" });
});

afterAll(() => product.stop());

const ask = (authorization?: string) =>
  fetch(`${product.url}/metrics`, { headers: authorization ? { authorization } : {} });

test("P21 the metrics are for whoever holds the token alone", async () => {
  for (const authorization of [undefined, "Bearer wrong", `Bearer ${TOKEN}x`, TOKEN]) {
    const answer = await ask(authorization);
    expect([authorization, answer.status]).toEqual([authorization, 401]);
    expect(await answer.text()).toBe("Unauthorized\n");
  }
});

test("the metrics count what waits, by state and without naming anyone", async () => {
  const alice = await signUp(product, "alice");
  await alice.client.from("filter_settings").insert({
    user_id: alice.id,
    filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    receiver_ids: ["7001"],
  });
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(text).toContain('alerts{state="pending"} 1');
  expect(text).toContain('chats{state="waiting"} 1');
  expect(text).toContain('filters{state="active"} 1');
  expect(text).toContain("watcher_promised_interval_seconds 600");
  expect(text).not.toContain("7001");
  expect(text).not.toContain(alice.id);
});
