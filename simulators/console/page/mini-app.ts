import { act, ask } from "./api.ts";
import { button, element } from "./element.ts";
import { createClient } from "./mini-app-client.ts";

/** That of Telegram's web version: no downloads, and no navigation of the tab. */
const SANDBOX =
  "allow-scripts allow-same-origin allow-popups allow-forms allow-modals allow-storage-access-by-user-activation";
/** The size of a phone's window. */
const PHONE = "popup,width=390,height=844";
const THEMES = {
  light: { bg_color: "#ffffff", text_color: "#000000" },
  dark: { bg_color: "#17212b", text_color: "#f5f5f5" },
};

export type WayToOpen = { way: "menu" } | { way: "button"; chatId: number; messageId: number; text: string };

/** In a frame, as Telegram's web version does, or in a window of its own, as a phone's webview. */
export type Place = "frame" | "window";

export async function openMiniApp(personId: number, how: WayToOpen, place: Place): Promise<void> {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = THEMES[isDark ? "dark" : "light"];
  const version = "9.6";
  const order = { ...how, version, platform: place === "frame" ? "weba" : "android", theme };
  const opened = await act<{ url: string }>(`telegram/people/${personId}/app`, order);
  const { shown, target, appOrigin, close } = await SHOW[place](opened.url);
  const dialog = element("dialog", { className: "tg-dialog tg-app-dialog", ariaLabel: "Mini App" });
  const send = (eventType: string, eventData?: unknown) => {
    const event = { eventType, eventData };
    target()?.postMessage(place === "frame" ? JSON.stringify(event) : event, "*");
  };
  const client = createClient({
    ...{ version, theme, send, appOrigin },
    allowWriting: () => allowWriting(personId),
    share: (preparedId) => shareAs(personId, preparedId),
  });
  const back = button("‹ Back", async () => send("back_button_pressed"));
  const onMessage = ({ source, origin, data }: MessageEvent) => {
    if (source !== target()) return;
    const before = client.opened.length;
    if (place === "frame") client.receiveMessage(data, origin);
    else if (origin === appOrigin) client.receiveCall(data.type, data.json);
    back.hidden = !client.isBackShown;
    for (const address of client.opened.slice(before)) window.open(address, "_blank", "noopener");
    if (client.isClosed) dialog.close();
  };
  window.addEventListener("message", onMessage);
  back.hidden = true;
  dialog.append(
    element(
      "div",
      { className: "row" },
      back,
      button("Close", () => dialog.close()),
    ),
    shown,
  );
  dialog.addEventListener("close", () => {
    window.removeEventListener("message", onMessage);
    close();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

interface Shown {
  readonly shown: HTMLElement;
  readonly target: () => Window | null;
  readonly appOrigin: string;
  readonly close: () => void;
}

const SHOW: Readonly<Record<Place, (url: string) => Shown | Promise<Shown>>> = {
  frame: (url) => {
    const frame = element("iframe", { className: "tg-app", src: url, title: "The app" });
    frame.setAttribute("sandbox", SANDBOX);
    return {
      shown: frame,
      target: () => frame.contentWindow,
      appOrigin: new URL(url).origin,
      close: () => {},
    };
  },
  window: async (url) => {
    const { webviewUrl } = await ask<{ webviewUrl: string }>("site");
    const { pathname, search, hash } = new URL(url);
    const phone = window.open(webviewUrl + pathname + search + hash, "_blank", PHONE);
    if (!phone) throw new Error("The browser opened no window: allow pop-ups here");
    return {
      shown: element("p", {}, "The app is open in a window of its own, as on a phone."),
      target: () => phone,
      appOrigin: webviewUrl,
      close: () => phone.close(),
    };
  },
};

async function allowWriting(personId: number): Promise<boolean> {
  const isAllowed = window.confirm("Allow the bot to write to you?");
  if (isAllowed) await act(`telegram/people/${personId}/allow-writing`);
  return isAllowed;
}

/** Asks for a chat and sends the prepared message there. */
async function shareAs(personId: number, preparedId: string): Promise<string | undefined> {
  const { chats } = await ask<{ chats: { id: number; title: string | null }[] }>(
    `telegram/chats?person=${personId}`,
  );
  const list = chats.map(({ id, title }, at) => `${at + 1}. ${id === personId ? "The bot's chat" : title}`);
  const chosen = chats[Number(window.prompt(`Send to…\n${list.join("\n")}`, "1")) - 1];
  if (chosen === undefined) return "USER_DECLINED";
  const order = { preparedId, chatId: chosen.id };
  return (await act<{ error: string | null }>(`telegram/people/${personId}/share`, order)).error ?? undefined;
}
