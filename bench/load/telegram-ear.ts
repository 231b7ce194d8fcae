import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

const LOOK_MS = 5;

/** Settles for whoever waits when Telegram has said yes to a message with these words. */
export function createTelegramEar(telegram: TelegramSimulator) {
  const waiting = new Map<string, () => void>();
  let seen = 0;
  const timer = setInterval(() => {
    const { accepted } = telegram.ledger;
    for (; seen < accepted.length; seen += 1) {
      const { text = "" } = accepted[seen] ?? {};
      for (const [words, tell] of waiting) {
        if (!text.includes(words)) continue;
        waiting.delete(words);
        tell();
        break;
      }
    }
  }, LOOK_MS);
  return {
    hear: (words: string) => new Promise<void>((resolve) => waiting.set(words, resolve)),
    stop: () => clearInterval(timer),
  };
}
