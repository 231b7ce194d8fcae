import { openWhatever } from "./match.ts";
import { openFeature } from "./match-home.ts";
import { FEATURES, type Search, searchFor } from "./search.ts";
import type { Undecided } from "./verdict.ts";

/** What sure matches still leave open, one list for all filters of a market that leave the same open. */
export class OpenLists {
  readonly #market: Search;
  /** By number: what is open whatever the listing. */
  #always: (readonly Undecided[])[] = [];
  /** By number, then by open features. */
  #withFeatures: Map<number, readonly Undecided[]>[] = [];
  #numbers = new Map<string, number>();

  constructor({ operation, kind }: Pick<Search, "operation" | "kind">) {
    this.#market = searchFor(operation, kind, { type: "zones", codes: [] });
  }

  numberOf(search: Search): number {
    const list = openWhatever(search);
    const key = JSON.stringify(list);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#always.push(list) - 1;
    this.#withFeatures.push(new Map());
    this.#numbers.set(key, number);
    return number;
  }

  /** `openFeatures`: a bit for each feature the listing is silent on. */
  listOf(number: number, openFeatures: number): readonly Undecided[] {
    const always = this.#always[number] ?? [];
    if (openFeatures === 0) return always;
    const known = this.#withFeatures[number]?.get(openFeatures);
    if (known) return known;
    const features = FEATURES.filter((_, index) => openFeatures & (1 << index));
    const list = [...features.map((feature) => openFeature(feature, this.#market)), ...always];
    this.#withFeatures[number]?.set(openFeatures, list);
    return list;
  }
}
