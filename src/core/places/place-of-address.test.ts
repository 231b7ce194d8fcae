import { expect, test } from "vitest";
import { placeOfAddress } from "./place-of-address.ts";

const MADRID = "0-EU-ES-28-07-001-079";

test.each([
  [["Calle de Ibiza, 12", "Ibiza", "Madrid"], null, "Ibiza"],
  [["Ibiza", "Madrid"], null, "Ibiza"],
  [["Calle Mayor", "Madrid"], null, "Madrid"],
  [["Calle de Alcalá", "Retiro", "Madrid"], null, "Retiro"],
  [["Calle X", "Lavapiés", "Madrid"], null, "Lavapiés-Embajadores"],
  // The town is missing: the searched place decides.
  [["Calle de Ibiza, 12", "Ibiza"], MADRID, "Ibiza"],
  [["Calle de Ibiza, 12", "Ibiza"], `${MADRID}-03`, "Ibiza"],
  [["Calle de Ibiza, 12", "Ibiza"], null, undefined],
  // Not inside the searched place, so not the barrio of that name.
  [["Ibiza", "Madrid"], "0-EU-ES-08", undefined],
  [["Carrer de la Creu", "Badalona"], null, undefined],
  [["Calle Mayor"], MADRID, undefined],
  [[], null, undefined],
])("MAIL-06 the address %j, searched for in %s, is in %s", (address, searchedId, name) => {
  expect(placeOfAddress(address, searchedId)?.name).toBe(name);
});
