/** Runs a task now and every minute, never concurrently. For tasks of this process, which cannot be shared jobs. */
export function everyMinute(task: () => Promise<void>, onError: (error: unknown) => void) {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await task()
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  };
  const timer = setInterval(run, 60_000);
  void run();
  return { stop: () => clearInterval(timer) };
}
