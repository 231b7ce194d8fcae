interface Accepted {
  readonly sequence: number;
  readonly at: number;
  readonly method: string;
  readonly chatId: number;
  readonly messageId: number;
  /** The text or the caption, as it stands in the chat. */
  readonly text: string;
  readonly photo: string | undefined;
  readonly replyTo: number | undefined;
  /** False where a fault kept the answer back: the message is there, and the bot does not know. */
  isAnswered: boolean;
}

interface Refused {
  readonly sequence: number;
  readonly at: number;
  readonly method: string;
  readonly chatId: number | undefined;
  readonly errorCode: number | undefined;
  readonly description: string;
  readonly fault: string | undefined;
}

const LIMIT = 500_000;

/** Every message taken and every call turned away: the judge of what was lost and what came twice. No tokens. */
export class Ledger {
  #accepted: Accepted[] = [];
  #refused: Refused[] = [];
  #calls = new Map<string, number>();
  #sequence = 0;

  call(method: string): void {
    this.#calls.set(method, (this.#calls.get(method) ?? 0) + 1);
  }

  accept(entry: Omit<Accepted, "sequence" | "isAnswered">): Accepted {
    const written = { ...entry, sequence: this.#next(), isAnswered: true };
    this.#accepted.push(written);
    if (this.#accepted.length > LIMIT) this.#accepted.splice(0, LIMIT / 10);
    return written;
  }

  refuse(entry: Omit<Refused, "sequence">): void {
    this.#refused.push({ ...entry, sequence: this.#next() });
    if (this.#refused.length > LIMIT) this.#refused.splice(0, LIMIT / 10);
  }

  get accepted(): readonly Accepted[] {
    return this.#accepted;
  }

  get refused(): readonly Refused[] {
    return this.#refused;
  }

  get calls(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#calls);
  }

  clear(): void {
    this.#accepted = [];
    this.#refused = [];
    this.#calls.clear();
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }
}
