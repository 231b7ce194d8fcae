const ANSWER_WITHIN_MS = 10_000;

type PingOptions = {
  url: string;
  isReady: () => Promise<boolean>;
  onPing: (at: number) => void;
  now: () => number;
};

/** Calls the dead man's switch while this process is ready; it raises an alarm when calls stop. */
export async function sendPing({ url, isReady, onPing, now }: PingOptions): Promise<void> {
  if (!(await isReady())) return;
  // The URL's path is a secret, so the error must not contain it.
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => undefined);
  await answer?.body?.cancel();
  if (!answer?.ok) throw new Error(`PING_URL ${answer ? `answers ${answer.status}` : "cannot be reached"}`);
  onPing(now());
}
