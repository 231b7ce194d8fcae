const ANSWER_WITHIN_MS = 10_000;

type PingOptions = {
  url: string;
  isReady: () => Promise<boolean>;
  onPing: (at: number) => void;
  now: () => number;
};

/** Tells whoever waits for it that this process is ready; when it falls silent, they raise the alarm. */
export async function sendPing({ url, isReady, onPing, now }: PingOptions): Promise<void> {
  if (!(await isReady())) return;
  // The path of such an address is a secret: no error may name it.
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => undefined);
  await answer?.body?.cancel();
  if (!answer?.ok) throw new Error(`PING_URL ${answer ? `answers ${answer.status}` : "cannot be reached"}`);
  onPing(now());
}
