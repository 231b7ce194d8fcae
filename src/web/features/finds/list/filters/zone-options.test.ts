import { expect, test } from "vitest";
import type { FoundHome } from "#core/finds/find.ts";
import { zoneOptionsOf } from "./zone-options.ts";

const find = (
  placeId: string | null,
  neighborhood: string | null,
  district: string | null,
  municipality: string | null = "Madrid",
) => ({ placeId, neighborhood, district, municipality }) as FoundHome;

test("FIND-01 the zone options are those of the finds, grouped by district and sorted by name", () => {
  const finds = [
    find("28-07-002", "Trafalgar", "Chamberí"),
    find("28-07-001", "Almagro", "Chamberí"),
    find("28-07-001", "Almagro", "Chamberí"),
    find("28-03", null, "Retiro"),
    find("28-999", null, null, "Aravaca"),
    find(null, "Goya", "Barrio de Salamanca"),
  ];
  expect(zoneOptionsOf(finds, "es")).toEqual([
    { id: "28-999", name: "Aravaca", zones: [] },
    {
      id: "28-07",
      name: "Chamberí",
      zones: [
        { id: "28-07-001", name: "Almagro" },
        { id: "28-07-002", name: "Trafalgar" },
      ],
    },
    { id: "28-03", name: "Retiro", zones: [] },
  ]);
});
