/** A short message over the page. Its library loads with the first one. */
export interface Toast {
  kind: "success" | "destructive";
  title: string;
  description?: string;
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

/** Calls back when the first toast is to be shown. */
export function onFirstToast(listener: () => void): () => void {
  wake = listener;
  if (waiting.length > 0) listener();
  return () => {
    wake = undefined;
  };
}

/** The mounted toaster takes over, starting with the toasts that came before it. */
export function showToastsWith(toaster: Show): () => void {
  show = toaster;
  for (const toast of waiting.splice(0)) toaster(toast);
  return () => {
    show = undefined;
  };
}
