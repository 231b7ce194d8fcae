import type { SendOutcome } from "#core/ports/channel.ts";

export type OutcomeCounts = Readonly<Record<SendOutcome["type"], number>>;

/** How many messages went which way since the process began. */
export class DeliveryCounts {
  readonly #counts = new Map<SendOutcome["type"], number>();

  note({ type }: SendOutcome): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  get all(): OutcomeCounts {
    const none: OutcomeCounts = {
      sent: 0,
      closed: 0,
      moved: 0,
      flood: 0,
      "refused-us": 0,
      failed: 0,
      unknown: 0,
      hopeless: 0,
    };
    return { ...none, ...Object.fromEntries(this.#counts) };
  }
}
