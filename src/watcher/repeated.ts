export interface Repeated {
  /** Again at once, or as soon as the turn under way is over. */
  soon(): void;
  stop(): Promise<void>;
}

/** One turn after another, never two at a time. */
export function createRepeated(
  everyMs: number,
  deed: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isAwaited = false;
  let isStopped = false;

  const take = async () => {
    isRunning = true;
    try {
      await deed();
    } catch (error) {
      onError(error);
    }
    isRunning = false;
    if (!isStopped) timer = setTimeout(run, isAwaited ? 0 : everyMs);
    isAwaited = false;
  };
  const run = () => {
    clearTimeout(timer);
    if (isStopped) return;
    if (isRunning) isAwaited = true;
    else turn = take();
  };

  run();
  return {
    soon: run,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
