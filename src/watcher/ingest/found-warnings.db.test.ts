import { expect, test } from "vitest";
import type { AlertListing } from "#core/alert/alert.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/";
const GETAFE = "https://www.idealista.com/venta-viviendas/getafe-madrid/";
const SIX_HOURS_MS = 6 * 3_600_000;

const story = storyForTests(300);
const heldOf = async (code: string) => {
  const [row] =
    await story.sql`select card -> 'warnings' as warnings, photos, place_id from watch.portal_listings where listing_id = ${code}`;
  return row;
};
const alertOf = async (code: string) => {
  const alert = (await alertsOf(story.sql)).find(({ listingId }) => listingId === code);
  return alert?.payload.listing as Partial<AlertListing> | undefined;
};

test("FIND-04 warnings, photos and advertiser are in the alert, and stay with the listing when it is seen again", async () => {
  const byUrl = story.rounds({ only: "by-url" });
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(byUrl);
  const description = "Inmueble en subasta judicial. No es nuda propiedad.";
  const code = story.publish(RETIRO, { description, photoCount: 5, privateAdvertiser: true });
  await story.round(byUrl);
  const warnings = [{ kind: "auction", words: "en subasta judicial" }];
  expect(await alertOf(code)).toMatchObject({
    warnings,
    isPrivate: true,
    photoCount: 3,
    placeId: expect.stringMatching(/^0-EU-ES-28-07-001-079-03/),
    latitude: expect.any(Number),
  });
  story.clock.advance(SIX_HOURS_MS);
  await story.round(byUrl);
  await story.round(story.rounds({ only: "official" }));
  const held = await heldOf(code);
  expect(held).toMatchObject({ warnings, place_id: expect.stringContaining("079-03") });
  expect(held?.photos).toHaveLength(3);
});

test("FIND-04 the same text in a second town is a warning", async () => {
  await addPeople(story.sql, [{ url: RETIRO }, { url: GETAFE }]);
  await story.round();
  const description = `${"Precioso piso muy luminoso con vistas, reformado por completo y listo para entrar. ".repeat(2)} Llame hoy.`;
  const [first] = [story.publish(RETIRO, { description, photoCount: 5 })];
  await story.round();
  const second = story.publish(GETAFE, { description, photoCount: 5 });
  await story.round();
  expect((await alertOf(first))?.warnings).toEqual([]);
  expect((await alertOf(second))?.warnings).toEqual([{ kind: "same-text", codes: 2, towns: 2 }]);
});
