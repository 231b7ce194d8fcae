import { afterAll, beforeAll, expect, test } from "vitest";
import { type GoogleSimulator, startGoogleSimulator } from "../google/google-simulator.ts";
import { googleRoutes } from "./console.ts";

let google: GoogleSimulator;

beforeAll(async () => {
  google = await startGoogleSimulator({ redirectUris: [] });
});

afterAll(() => google.stop());

const send = (method: string, path: string, body: object) =>
  googleRoutes(google).request(path, { method, body: JSON.stringify(body) });

test("the console lists the people and sets the next fault", async () => {
  expect((await send("PUT", "/fault", { fault: "unverified" })).status).toBe(200);
  expect(google.fault()).toBe("unverified");
  expect(await (await googleRoutes(google).request("/")).json()).toMatchObject({ fault: "unverified" });
  expect((await send("PUT", "/fault", { fault: "earthquake" })).status).toBe(400);
  expect(google.fault()).toBe("unverified");
  await send("PUT", "/fault", { fault: null });
  expect(google.fault()).toBeUndefined();
});

test("the console adds a person, and refuses invalid data", async () => {
  const person = { email: "eva@example.com", name: "Eva", isVerified: false };
  expect((await send("POST", "/people", person)).status).toBe(201);
  expect(google.people()).toContainEqual(expect.objectContaining(person));
  expect((await send("POST", "/people", { email: "nonsense" })).status).toBe(400);
});
