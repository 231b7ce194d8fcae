import { act } from "./api.ts";
import { button, element } from "./element.ts";
import { createClient } from "./mini-app-client.ts";

/** That of Telegram's web version: no downloads, and no navigation of the tab. */
const SANDBOX =
  "allow-scripts allow-same-origin allow-popups allow-forms allow-modals allow-storage-access-by-user-activation";
const THEMES = {
  light: { bg_color: "#ffffff", text_color: "#000000" },
  dark: { bg_color: "#17212b", text_color: "#f5f5f5" },
};

export type WayToOpen = { way: "menu" } | { way: "button"; chatId: number; messageId: number; text: string };

/** Opens an app over the chat, in a frame as Telegram's web version does. */
export async function openMiniApp(personId: number, how: WayToOpen): Promise<void> {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = THEMES[isDark ? "dark" : "light"];
  const version = "9.6";
  const order = { ...how, version, platform: "weba", theme };
  const { url } = await act<{ url: string }>(`telegram/people/${personId}/app`, order);
  const frame = element("iframe", { className: "tg-app", src: url, title: "The app" });
  frame.setAttribute("sandbox", SANDBOX);
  const dialog = element("dialog", { className: "tg-dialog tg-app-dialog", ariaLabel: "Mini App" });
  const send = (eventType: string, eventData?: unknown) =>
    frame.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), "*");
  const client = createClient({ version, theme, send });
  const back = button("‹ Back", async () => send("back_button_pressed"));
  const onMessage = ({ source, data }: MessageEvent) => {
    if (source !== frame.contentWindow || typeof data !== "string") return;
    const { eventType, eventData } = parsed(data);
    const before = client.opened.length;
    client.receive(eventType, eventData);
    back.hidden = !client.isBackShown;
    for (const address of client.opened.slice(before)) window.open(address, "_blank", "noopener");
    if (client.isClosed) dialog.close();
  };
  window.addEventListener("message", onMessage);
  back.hidden = true;
  const close = button("Close", async () => dialog.close());
  dialog.append(element("div", { className: "row" }, back, close), frame);
  dialog.addEventListener("close", () => {
    window.removeEventListener("message", onMessage);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function parsed(json: string): { eventType?: unknown; eventData?: unknown } {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}
