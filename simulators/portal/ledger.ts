import type { Api, FaultName } from "./faults.ts";

interface LedgerEntry {
  readonly at: string;
  readonly api: Api;
  readonly parameters: Readonly<Record<string, string>>;
  readonly status: number | "none";
  readonly faults: readonly FaultName[];
}

const LIMIT = 10_000;

/** What was asked of the simulator; keys and tokens are never written down. */
export class Ledger {
  #entries: LedgerEntry[] = [];
  #totals = new Map<Api, number>();

  write(entry: LedgerEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > LIMIT) {
      this.#entries.splice(0, LIMIT / 10);
    }
    this.#totals.set(entry.api, this.count(entry.api) + 1);
  }

  count(api: Api): number {
    return this.#totals.get(api) ?? 0;
  }

  /** Newest last. */
  latest(limit: number): LedgerEntry[] {
    return this.#entries.slice(-limit);
  }

  clear(): void {
    this.#entries = [];
    this.#totals.clear();
  }
}
