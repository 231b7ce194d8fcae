const AT_ONCE_MS = 1000;

/** Tells a chat that is written to too often from a bot that writes too much. */
export class FloodWatch {
  #last: { chatId: string; atMs: number; untilMs: number } | undefined;

  /** Until when everything must be silent: as long as the longer of two chats was told within a second. */
  note(chatId: string, atMs: number, untilMs: number): number | undefined {
    const last = this.#last;
    this.#last = { chatId, atMs, untilMs };
    if (last === undefined || last.chatId === chatId || atMs - last.atMs > AT_ONCE_MS) return undefined;
    return Math.max(last.untilMs, untilMs);
  }
}
