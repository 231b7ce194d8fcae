/** Now and then every minute, one at a time; what this process alone can see or do cannot be anyone's job. */
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
