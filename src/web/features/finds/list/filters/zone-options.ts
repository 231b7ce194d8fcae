import type { FindZone } from "#core/finds/find.ts";

export interface ZoneOption {
  readonly id: string;
  readonly name: string;
}

export interface ZoneGroup extends ZoneOption {
  readonly zones: readonly ZoneOption[];
}

/**
 * The zones of the finds, by name. A location id extends the id of its parent by one part; the smallest named part of
 * the address tells the level of an id.
 */
export function zoneOptionsOf(finds: readonly FindZone[], language: string): ZoneGroup[] {
  const groups = new Map<string, { name: string; zones: Map<string, string> }>();
  for (const { placeId, neighborhood, district, municipality } of finds) {
    if (placeId === null) continue;
    const [smallest, above] = [neighborhood, district, municipality].filter((name) => name !== null);
    if (smallest === undefined) continue;
    const isNested = neighborhood !== null && above !== undefined;
    const groupId = isNested ? placeId.slice(0, placeId.lastIndexOf("-")) : placeId;
    const group = groups.get(groupId) ?? { name: isNested ? above : smallest, zones: new Map() };
    if (isNested) group.zones.set(placeId, smallest);
    groups.set(groupId, group);
  }
  const byName = new Intl.Collator(language).compare;
  const sorted = (options: ZoneOption[]) => options.sort((one, other) => byName(one.name, other.name));
  return [...groups]
    .map(([id, { name, zones }]) => ({
      id,
      name,
      zones: sorted([...zones].map(([zoneId, zoneName]) => ({ id: zoneId, name: zoneName }))),
    }))
    .sort((one, other) => byName(one.name, other.name));
}
