import { expect, test } from "vitest";
import { placesAt } from "./places-at.ts";

test("START-03 a shared location is in its zone, its district and its town; outside the known cities in none", async () => {
  const namesAt = async (latitude: number, longitude: number) =>
    (await placesAt({ latitude, longitude })).map(({ name, level }) => `${level} ${name}`);
  expect(await namesAt(40.4326, -3.7001)).toEqual([
    expect.stringMatching(/^barrio /),
    "district Chamberí",
    "municipality Madrid",
  ]);
  expect(await namesAt(37.3886, -5.9823)).toEqual([]);
  expect(await namesAt(52.52, 13.405)).toEqual([]);
});
