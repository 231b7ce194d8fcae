/** A short message over the page. The library that shows it loads with the first one. */
export interface Toast {
  kind: "success" | "destructive";
  title: string;
  description?: string;
  /** Something to do about it, while it is shown. */
  action?: { label: string; onAction(): void };
}

type Show = (toast: Toast) => void;

const waiting: Toast[] = [];
let show: Show | undefined;
let wake: (() => void) | undefined;

export function notify(toast: Toast): void {
  if (show) {
    show(toast);
    return;
  }
  waiting.push(toast);
  wake?.();
}

/** Called as soon as a toast wants to be shown. */
export function onFirstToast(listener: () => void): () => void {
  wake = listener;
  if (waiting.length > 0) listener();
  return () => {
    wake = undefined;
  };
}

/** The mounted toaster takes over, beginning with what came before it. */
export function showToastsWith(toaster: Show): () => void {
  show = toaster;
  for (const toast of waiting.splice(0)) toaster(toast);
  return () => {
    show = undefined;
  };
}
