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
  readonly at: number;
  readonly method: string;
  readonly chatId: number | undefined;
  readonly errorCode: number | undefined;
  readonly description: string;
  readonly fault: string | undefined;
}

/** Every message taken and every call turned away: the judge of what was lost and what came twice. No tokens. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  readonly refused: Refused[] = [];
  /** How often each method was called. */
  calls: Record<string, number> = {};

  call(method: string): void {
    this.calls[method] = (this.calls[method] ?? 0) + 1;
  }

  accept(message: Omit<Accepted, "sequence" | "isAnswered">): Accepted {
    const entry = { ...message, sequence: this.accepted.length + 1, isAnswered: true };
    this.accepted.push(entry);
    return entry;
  }

  clear(): void {
    this.accepted.length = 0;
    this.refused.length = 0;
    this.calls = {};
  }
}
