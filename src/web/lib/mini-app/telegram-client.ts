// Talks to Telegram's client without a script of Telegram's: messages to the frame's parent, or a proxy that the webview
// defines. Old clients are silent, so nothing ever waits for an answer.

type Listener = (data: unknown) => void;

declare global {
  interface Window {
    TelegramWebviewProxy?: { postEvent(type: string, json: string): void };
    Telegram?: { WebView?: { receiveEvent: (type: string, data: unknown) => void } };
    TelegramGameProxy?: { receiveEvent: (type: string, data: unknown) => void };
  }
}

/** Telegram's web version. The simulated one has the address that the settings name. */
let parentOrigin = "https://web.telegram.org";

const listeners = new Map<string, Set<Listener>>();

/** Its webview defines a proxy (very old ones another function), its website frames the page, and nobody else may frame it. */
export function isTelegramThere(): boolean {
  return (
    window.TelegramWebviewProxy !== undefined ||
    window.parent !== window ||
    "notify" in (window.external ?? {})
  );
}

export function post(type: string, data: object = {}): void {
  if (window.TelegramWebviewProxy) window.TelegramWebviewProxy.postEvent(type, JSON.stringify(data));
  else if (window.parent !== window) {
    window.parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), parentOrigin);
  }
}

export function onTelegram(type: string, listener: Listener): () => void {
  const ofType = listeners.get(type) ?? new Set();
  listeners.set(type, ofType.add(listener));
  return () => ofType.delete(listener);
}

/** Both names under which webviews call; in a frame, messages of the parent alone. */
export function listenToTelegram(webOrigin: string): void {
  parentOrigin = webOrigin;
  window.Telegram = { ...window.Telegram, WebView: { receiveEvent: receive } };
  window.TelegramGameProxy = { receiveEvent: receive };
  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || origin !== parentOrigin || typeof data !== "string") return;
    const { eventType, eventData } = parsed(data);
    if (typeof eventType === "string") receive(eventType, eventData);
  });
}

function receive(type: string, data: unknown): void {
  const said = typeof data === "string" ? parsed(data) : data;
  for (const listener of listeners.get(type) ?? []) listener(said);
}

function parsed(json: string): { eventType?: unknown; eventData?: unknown } {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
