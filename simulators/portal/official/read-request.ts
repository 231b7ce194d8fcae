import type { Operation, PropertyType } from "../market/advert.ts";
import { type Rule, rulesFor } from "./parameters.ts";

export interface SearchRequest {
  readonly operation: Operation;
  readonly propertyType: PropertyType;
  readonly locationId: string | null;
  readonly circle: { latitude: number; longitude: number; distanceM: number } | null;
  readonly locale: string;
  readonly maxItems: number;
  readonly numPage: number;
  readonly order: string;
  readonly sort: "asc" | "desc";
  readonly sinceDate: string | null;
  /** The filters taken, by parameter name. */
  readonly filters: ReadonlyMap<string, FilterValue>;
  readonly totalAppliedFilters: number;
}

export type FilterValue = string | number | true | readonly string[];

export class BadRequest extends Error {}

const MAX_ITEMS_BY_DEFAULT = 20;
const NOT_FILTERS = new Set(["sinceDate"]);

/** Reads the parameters of a search as the documents say, or throws what the API would answer. */
export function readRequest(parameters: ReadonlyMap<string, string>): SearchRequest {
  const operation = requireChoice<Operation>(parameters, "operation", ["sale", "rent"]);
  const propertyType = requireChoice<PropertyType>(
    parameters,
    "propertyType",
    operation === "sale"
      ? ["homes", "offices", "premises", "garages"]
      : ["homes", "offices", "premises", "garages", "bedrooms"],
  );
  const rules = rulesFor(operation, propertyType);
  const values = new Map<string, FilterValue>();
  for (const [name, text] of parameters) {
    const rule = rules.get(name);
    const value = rule === undefined || text === "" ? undefined : readValue(name, rule, text);
    if (value !== undefined) {
      values.set(name, value);
    }
  }
  const applied = [...values.keys()]
    .map((name) => rules.get(name)?.counts)
    .filter((name) => name !== undefined);
  return {
    operation,
    propertyType,
    ...readPlace(values),
    locale: textOf(values, "locale") ?? "es",
    maxItems: numberOf(values, "maxItems") ?? MAX_ITEMS_BY_DEFAULT,
    numPage: numberOf(values, "numPage") ?? 1,
    order: textOf(values, "order") ?? "weigh",
    sort: textOf(values, "sort") === "asc" ? "asc" : "desc",
    sinceDate: textOf(values, "sinceDate") ?? null,
    filters: new Map([...values].filter(([name]) => rules.get(name)?.counts && !NOT_FILTERS.has(name))),
    totalAppliedFilters: new Set(applied).size,
  };
}

function readPlace(values: ReadonlyMap<string, FilterValue>): Pick<SearchRequest, "locationId" | "circle"> {
  const locationId = textOf(values, "locationId") ?? null;
  const center = textOf(values, "center");
  const distanceM = numberOf(values, "distance");
  if (center !== undefined && distanceM !== undefined) {
    const [latitude = 0, longitude = 0] = center.split(",").map(Number);
    return { locationId, circle: { latitude, longitude, distanceM } };
  }
  if (center !== undefined || distanceM !== undefined) {
    throw new BadRequest(`${center === undefined ? "center" : "distance"} is required`);
  }
  if (locationId === null) {
    throw new BadRequest("center and distance or locationId is required");
  }
  return { locationId, circle: null };
}

function readValue(name: string, rule: Rule, text: string): FilterValue | undefined {
  switch (rule.type) {
    case "boolean":
      return readFlag(name, text);
    case "number":
      return readNumber(name, rule, text);
    case "choice":
      return oneOf(name, rule.values, text);
    case "choices":
      return text.split(",").map((part) => oneOf(name, rule.values, part.trim()));
    case "point":
      return readPoint(name, text);
    case "digits":
      return text.split(",").map((part) => {
        if (!/^\d+$/.test(part.trim())) {
          throw new BadRequest(`Invalid value. Accepted values for ${name} are: integers`);
        }
        return part.trim();
      });
    case "text":
      return text;
  }
}

function readFlag(name: string, text: string): true | undefined {
  const word = oneOf(name, ["true", "false", "1", "0"], text.toLowerCase());
  return word === "true" || word === "1" ? true : undefined;
}

function readNumber(name: string, rule: Rule & { type: "number" }, text: string): number {
  const value = Number(text);
  const low = rule.low ?? Number.NEGATIVE_INFINITY;
  const high = rule.high ?? Number.POSITIVE_INFINITY;
  const isFine = Number.isFinite(value) && value >= low && value <= high;
  if (!isFine || (rule.isWhole && !Number.isInteger(value))) {
    const range = `${rule.low ?? ""}..${rule.high ?? ""}`;
    throw new BadRequest(`Invalid value. Accepted values for ${name} are: ${range}`);
  }
  return value;
}

function readPoint(name: string, text: string): string {
  if (!/^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/.test(text)) {
    throw new BadRequest(`Invalid value. Accepted values for ${name} are: latitude,longitude`);
  }
  return text;
}

function requireChoice<T extends string>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  values: readonly T[],
): T {
  const text = parameters.get(name);
  if (text === undefined || text === "") {
    throw new BadRequest(`${name} is required`);
  }
  return oneOf(name, values, text);
}

function oneOf<T extends string>(name: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) {
    throw new BadRequest(`Invalid value. Accepted values for ${name} are: ${values.join(", ")}`);
  }
  return found;
}

function textOf(values: ReadonlyMap<string, FilterValue>, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === "string" ? value : undefined;
}

function numberOf(values: ReadonlyMap<string, FilterValue>, name: string): number | undefined {
  const value = values.get(name);
  return typeof value === "number" ? value : undefined;
}
