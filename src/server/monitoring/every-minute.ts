/** Now and then every minute, one at a time; what this process alone can see or do cannot be anyone's job. */
export function everyMinute(task: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= task()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, 60_000);
  run();
  return {
    stop: () => clearInterval(timer),
  };
}
