import { expect, test } from "vitest";
import { placeOfAddress } from "./place-of-address.ts";

const MADRID = "0-EU-ES-28-07-001-079";

test.each([
  [["Calle de Ibiza, 12", "Ibiza", "Madrid"], null, "Ibiza"],
  [["Ibiza", "Madrid"], null, "Ibiza"],
  [["Calle Mayor", "Madrid"], null, "Madrid"],
  [["Calle de Alcalá", "Retiro", "Madrid"], null, "Retiro"],
  [["Calle X", "Lavapiés", "Madrid"], null, "Lavapiés-Embajadores"],
  // Cut before its town: what was searched in says which.
  [["Calle de Ibiza, 12", "Ibiza"], MADRID, "Ibiza"],
  [["Calle de Ibiza, 12", "Ibiza"], `${MADRID}-03`, "Ibiza"],
  [["Calle de Ibiza, 12", "Ibiza"], null, undefined],
  // Not in the place that was searched in, so not the one of that name.
  [["Ibiza", "Madrid"], "0-EU-ES-08", undefined],
  [["Carrer de la Creu", "Badalona"], null, undefined],
  [["Calle Mayor"], MADRID, undefined],
  [[], null, undefined],
])("MAIL-06 the address %j, searched for in %s, is in %s", (address, searchedId, name) => {
  expect(placeOfAddress(address, searchedId)?.name).toBe(name);
});
