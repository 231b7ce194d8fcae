import type { AdvertisedHome, MessageProfile } from "#text/advertiser-message.ts";

/** In Spanish for everyone, like the message. */
export const EXAMPLE_ANSWERS = {
  who: "Una pareja de 32 y 34 años, sin mascotas",
  job: "Contrato indefinido como enfermera, dos nóminas",
  movingFrom: "A partir del 1 de febrero",
  about: "Nos gusta el barrio y buscamos algo para varios años",
} satisfies MessageProfile;

export const EXAMPLE_HOME: AdvertisedHome = {
  listingId: "104046409",
  operation: "rent",
  kind: "homes",
  typology: "flat",
  subTypology: null,
  priceEur: 1250,
  areaM2: 58,
  rooms: 2,
  floor: "3",
  hasLift: true,
  address: "Calle de Fuencarral",
  neighborhood: "Trafalgar",
  district: "Chamberí",
  municipality: "Madrid",
  pricePerM2Eur: null,
  comparison: null,
};
