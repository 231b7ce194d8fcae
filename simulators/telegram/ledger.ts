interface Accepted {
  readonly sequence: number;
  readonly at: number;
  readonly method: string;
  readonly chatId: number;
  readonly messageId: number;
  /** The text or caption as shown in the chat. */
  readonly text: string;
  readonly photo: string | undefined;
  readonly replyTo: number | undefined;
  /** Sent without a sound. */
  readonly isSilent: boolean;
  /** False if a fault withheld the answer: the message was sent, but the bot does not know. */
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

/** Records every accepted message and every refused call, to detect lost and duplicate messages. Contains no tokens. */
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
