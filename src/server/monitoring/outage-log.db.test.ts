import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startTestProduct } from "#test/test-product.ts";
import { isDatabaseAway } from "./outage-log.ts";

const patience = { timeout: 60_000, interval: 50 };

test("SERV-08 a database outage is logged once, then its end with the number of suppressed errors", async () => {
  const product = await startTestProduct();
  const linesWith = (words: string) =>
    product
      .log()
      .split("\n")
      .filter((line) => line.includes(words));
  try {
    await product.database.shut();
    await expect.poll(() => linesWith("the database does not answer"), patience).toHaveLength(1);
    // A request during the outage is one more error.
    const before = product.log().length;
    await product.createClient().from("profiles").select("id");
    await fetch(`${product.url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { apikey: product.publishableKey },
      body: JSON.stringify({ refresh_token: "unknown" }),
    });
    expect(product.log().slice(before)).not.toContain('"err"');
    await product.database.reopen();
    await expect.poll(() => linesWith("the database answers again"), patience).toHaveLength(1);
    expect(linesWith("the database does not answer")).toHaveLength(1);
    expect(linesWith("the database answers again")[0]).toMatch(/"leftOut":[1-9]/);
  } finally {
    await product.stop();
  }
});

test("SERV-08 an unreachable mail server or portal is not mistaken for the database", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:25"), { code: "ECONNREFUSED" });
  expect(isDatabaseAway(refused)).toBe(false);
  expect(isDatabaseAway(new Error("a check failed"))).toBe(false);
  const closed = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  expect(isDatabaseAway(new Error("a check failed", { cause: closed }))).toBe(true);
  expect(isDatabaseAway({ ...closed, queue: "send-mail" })).toBe(true);
});

test("SERV-08 PING_URL is called while this process is ready, and its address is not logged", async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const product = await startTestProduct({ PING_URL: `http://127.0.0.1:${port}/a-secret-path` });
  try {
    await expect.poll(() => calls, patience).toEqual(["/a-secret-path"]);
    await expect.poll(() => product.log(), patience).toContain("PING_URL answers 500");
    expect(product.log()).not.toContain("a-secret-path");
  } finally {
    await product.stop();
    await new Promise((resolve) => server.close(resolve));
  }
});
