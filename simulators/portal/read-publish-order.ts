import { type Advert, OPERATIONS, PROPERTY_TYPES } from "./market/advert.ts";
import type { PublishOrder } from "./publish-matching.ts";

type Body = Readonly<Record<string, unknown>>;

const FIELDS: Readonly<Partial<Record<keyof Advert, (value: unknown) => boolean>>> = {
  priceEur: isAmount,
  sizeM2: isAmount,
  rooms: isAmount,
  bathrooms: isAmount,
  buildingFloors: isAmount,
  photoCount: isAmount,
  floor: isTextOrNull,
  typology: isText,
  subTypology: isTextOrNull,
  street: isTextOrNull,
  reference: isTextOrNull,
  hasLift: isFlagOrNull,
  isExterior: isFlagOrNull,
  isAddressShown: isFlag,
  hasPlan: isFlag,
  hasVideo: isFlag,
  condition: (value) => ["good", "renew", "newdevelopment"].some((known) => known === value),
};
const PLACE: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  province: isText,
  municipality: isText,
  district: isTextOrNull,
  neighborhood: isTextOrNull,
  latitude: Number.isFinite,
  longitude: Number.isFinite,
  eurPerM2: isAmount,
};

/** Reads the body of POST /control/listings, or names what is wrong with it. */
export function readPublishOrder(body: Body): PublishOrder | string {
  const wrong =
    firstWrong(body, {
      url: isText,
      locationId: isText,
      operation: (value) => OPERATIONS.some((known) => known === value),
      propertyType: (value) => PROPERTY_TYPES.some((known) => known === value),
      count: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000,
      fields: isObject,
      place: isObject,
    }) ??
    firstWrong(body.fields ?? {}, FIELDS) ??
    firstWrong(body.place ?? {}, PLACE);
  return wrong ?? (body as PublishOrder);
}

function firstWrong(
  values: object,
  rules: Readonly<Record<string, ((value: unknown) => boolean) | undefined>>,
): string | undefined {
  return Object.entries(values).find(
    ([name, value]) => value !== undefined && !(Object.hasOwn(rules, name) && rules[name]?.(value)),
  )?.[0];
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < 1e10;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= 4096;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isFlagOrNull(value: unknown): boolean {
  return value === null || isFlag(value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
