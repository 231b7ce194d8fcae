import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

const POLL_MS = 5;

/** Lets a caller wait until Telegram has accepted a message with a given text. */
export function watchMessages(telegram: TelegramSimulator) {
  const waiting = new Map<string, () => void>();
  let seen = 0;
  const timer = setInterval(() => {
    const { accepted } = telegram.ledger;
    for (; seen < accepted.length; seen += 1) {
      const { text = "" } = accepted[seen] ?? {};
      for (const [words, resolve] of waiting) {
        if (!text.includes(words)) continue;
        waiting.delete(words);
        resolve();
        break;
      }
    }
  }, POLL_MS);
  return {
    next: (words: string) => new Promise<void>((resolve) => waiting.set(words, resolve)),
    stop: () => clearInterval(timer),
  };
}
