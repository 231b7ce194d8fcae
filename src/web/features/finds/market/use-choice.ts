import { useSearchParams } from "react-router";
import { SIZE_BANDS, type SizeBand } from "#core/finds/find.ts";
import { OPERATIONS, type Operation } from "#core/search/search.ts";
import type { Town } from "../market-figures.ts";
import { type RowOrder, SORT_KEYS, type SortKey, ZONE_LEVELS, type ZoneLevel } from "./market-rows.ts";

/** What is shown. It is in the address, so that it can be shared and survives a reload. */
export interface Choice {
  readonly town: Town;
  readonly operation: Operation;
  readonly size: SizeBand;
  /** Null: the finest level of the town. */
  readonly level: ZoneLevel | null;
  readonly order: RowOrder;
}

interface Own {
  readonly placeId: string;
  readonly operation: Operation;
}

/** Returns undefined if no town has figures. */
export function useChoice(
  towns: readonly Town[],
  own: Own | null,
): [Choice | undefined, (change: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams();
  const choose = (change: Record<string, string>) =>
    setParams(
      (known) => {
        const next = new URLSearchParams(known);
        for (const [name, value] of Object.entries(change)) next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [marketChoiceOf(params, towns, own), choose];
}

/** Missing or invalid parts default to the person's first search, otherwise to the town with the most homes. */
export function marketChoiceOf(
  params: URLSearchParams,
  towns: readonly Town[],
  own: Own | null,
): Choice | undefined {
  const asked = towns.find(({ placeId }) => placeId === params.get("town"));
  const home = own === null ? undefined : towns.find(({ placeId }) => own.placeId.startsWith(placeId));
  const town = asked ?? home ?? towns[0];
  if (!town) return undefined;
  const usual = own !== null && town === home && own.operation in town.seen ? own.operation : mostSeen(town);
  const by = params.get("by") ?? "";
  const key = oneOf<SortKey>(SORT_KEYS, by.replace(/^-/, ""));
  return {
    town,
    operation: oneOf<Operation>(OPERATIONS, params.get("operation")) ?? usual,
    size: oneOf<SizeBand>(SIZE_BANDS, params.get("size")) ?? "all",
    level: oneOf<ZoneLevel>(ZONE_LEVELS, params.get("level")) ?? null,
    order: key ? { key, isDescending: by.startsWith("-") } : { key: "price", isDescending: false },
  };
}

export function orderText({ key, isDescending }: RowOrder): string {
  return isDescending ? `-${key}` : key;
}

function mostSeen({ seen }: Town): Operation {
  return (seen.sale ?? 0) > (seen.rent ?? 0) ? "sale" : "rent";
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((one) => one === value);
}
