export function logProblem(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to it
  console.error(message, ...(cause === undefined ? [] : [cause]));
}
