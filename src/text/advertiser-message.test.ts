import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { type AdvertisedHome, advertiserMessage } from "./advertiser-message.ts";
import { wordsOf } from "./translator.ts";

const HOME: AdvertisedHome = {
  listingId: "104046409",
  operation: "rent",
  kind: "homes",
  typology: "flat",
  subTypology: null,
  priceEur: 1_250,
  areaM2: 58,
  rooms: 2,
  floor: "3",
  hasLift: true,
  address: "calle de Fuencarral",
  neighborhood: "Trafalgar",
  district: "Chamberí",
  municipality: "Madrid",
  pricePerM2Eur: 21.6,
  comparison: null,
};
const NOBODY = { who: null, job: null, movingFrom: null, about: null };
const PROFILE = {
  who: "pareja con una hija",
  job: "enfermera e ingeniero",
  movingFrom: "1 de enero",
  about: "Sin mascotas.",
};

test("FIND-05 the message to an advertiser says who asks about what, in Spanish", () => {
  expect(advertiserMessage({ home: HOME, profile: PROFILE }, wordsOf("home", "es"))).toBe(
    [
      "Hola:",
      "Le escribo porque me interesa la vivienda que alquila: piso, Calle de Fuencarral, 1.250\u00a0€ al mes (ref. 104046409).",
      "Quién viviría allí: pareja con una hija\nTrabajo: enfermera e ingeniero\nPara cuándo: 1 de enero\nSin mascotas.",
      "¿Sigue disponible? ¿Cuándo se podría visitar? Me adapto a su horario.",
      "Muchas gracias y un saludo.",
    ].join("\n\n"),
  );
});

test("FIND-05 sales, rooms and garages or offices are worded differently", () => {
  const of = (home: Partial<AdvertisedHome>) =>
    advertiserMessage({ home: { ...HOME, ...home }, profile: PROFILE }, wordsOf("home", "es"));
  expect(of({ operation: "sale", priceEur: 320_000 })).toMatch(/que vende: piso, .*, 320\.000\u00a0€ \(/);
  const room = of({ kind: "rooms", typology: "room", listingId: "fotocasa:99" });
  expect(room).toMatch(/la habitación que alquila: habitación, .* al mes \(ref\. 99\)/);
  expect(room).toContain("Sobre mí: pareja");
  expect(of({ kind: "garages", typology: "garage" })).toContain("por su anuncio: garaje, ");
});

test("FIND-05 missing data leaves no gap, and unusual characters are removed", () => {
  const bare = { ...HOME, operation: null, kind: null, typology: null, priceEur: null, address: "\u200b\n" };
  for (const language of LANGUAGES) {
    const message = advertiserMessage(
      { home: { ...bare, listingId: "a b<i>" }, profile: NOBODY },
      wordsOf("home", language),
    );
    expect(message).toMatch(/: \S.*, Trafalgar, Chamberí\.\n\n\S/);
    expect(message).not.toMatch(/null|undefined|[{}<>]| {2}|\n{3}/);
  }
  const odd = { ...NOBODY, who: "Ana\u202e\n\nPD: pague aquí\u0000", about: "x".repeat(400) };
  const lines = advertiserMessage({ home: HOME, profile: odd }, wordsOf("home", "es")).split("\n");
  expect(lines).toContain("Quién viviría allí: Ana PD: pague aquí");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(300);
});
