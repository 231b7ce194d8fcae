import { openWhatever } from "./match.ts";
import { openFeature } from "./match-home.ts";
import { FEATURES, type Search, searchFor } from "./search.ts";
import type { Undecided } from "./verdict.ts";

/** What sure matches still leave open, one list for all filters of a market that leave the same open. */
export class OpenLists {
  readonly #market: Search;
  #lists: (readonly Undecided[])[] = [];
  #numbers = new Map<string, number>();
  #withFeatures = new Map<number, readonly Undecided[]>();

  constructor({ operation, kind }: Pick<Search, "operation" | "kind">) {
    this.#market = searchFor(operation, kind, { type: "zones", codes: [] });
  }

  numberOf(search: Search): number {
    const list = openWhatever(search);
    const key = JSON.stringify(list);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#lists.push(list) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** `openFeatures`: a bit for each feature the listing is silent on. */
  listOf(number: number, openFeatures: number): readonly Undecided[] {
    const always = this.#lists[number] ?? [];
    if (openFeatures === 0) return always;
    const key = number * 2 ** FEATURES.length + openFeatures;
    const known = this.#withFeatures.get(key);
    if (known) return known;
    const features = FEATURES.filter((_, index) => openFeatures & (1 << index));
    const list = [...features.map((feature) => openFeature(feature, this.#market)), ...always];
    this.#withFeatures.set(key, list);
    return list;
  }
}
