import { act, ask } from "./api.ts";
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
  const client = createClient({
    ...{ version, theme, send },
    appOrigin: new URL(url).origin,
    allowWriting: () => allowWriting(personId),
    share: (preparedId) => shareAs(personId, preparedId),
  });
  const back = button("‹ Back", async () => send("back_button_pressed"));
  const onMessage = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    const before = client.opened.length;
    client.receiveMessage(data, origin);
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
