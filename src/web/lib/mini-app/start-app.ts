// Starts a page inside Telegram: theme, insets and links. Runs before the application, and waits for nothing.
import { loadConfig } from "../backend/site-config.ts";
import { logProblem } from "../browser/log.ts";
import { signInToApp } from "./app-session.ts";
import { isInApp } from "./is-in-app.ts";
import { isAtLeast, takeLaunch } from "./launch.ts";
import { listenToTelegram, onTelegram, post } from "./telegram-client.ts";

export function startInTelegram(): void {
  const launch = takeLaunch();
  if (launch === undefined) return;
  // Before anything else: everything that the page shows waits for its answer. Those who need it ask for the outcome.
  void signInToApp();
  showTheme(launch.theme);
  openLinksOutside(launch.version);
  onTelegram("theme_changed", (data) => showTheme(objectOf(objectOf(data).theme_params)));
  for (const type of ["safe_area_changed", "content_safe_area_changed"] as const) {
    onTelegram(type, (insets) => showInsets(type, objectOf(insets)));
  }
  // The site's settings name the parent; a webview has a proxy instead, and needs none.
  loadConfig().then(
    ({ telegramWebUrl }) => {
      listenToTelegram(telegramWebUrl);
      greet(launch.version);
    },
    (error: unknown) => logProblem("The site's settings could not be loaded", error),
  );
}

function greet(version: string): void {
  post("iframe_ready", { reload_supported: true });
  // It is the same page again.
  onTelegram("reload_iframe", () => {
    post("iframe_will_reload");
    window.location.reload();
  });
  post("web_app_ready");
  post("web_app_expand");
  showBackground();
  if (!isAtLeast(version, "8.0")) return;
  post("web_app_request_safe_area");
  post("web_app_request_content_safe_area");
}

/** Light or dark as Telegram is, in our own colours: a person may have chosen any for Telegram. */
function showTheme({ bg_color }: Readonly<Record<string, unknown>>): void {
  if (typeof bg_color !== "string" || !/^#[0-9a-f]{6}$/i.test(bg_color)) return;
  document.documentElement.dataset.theme = luminanceOf(bg_color) < 0.4 ? "dark" : "light";
  showBackground();
}

export function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Telegram's header continues the page. */
function showBackground(): void {
  const color = document.documentElement.dataset.theme === "dark" ? "#0b1220" : "#faf8f4";
  const version = takeLaunch()?.version ?? "0";
  // Before 6.9 the header takes none of our colours.
  if (isAtLeast(version, "6.9")) post("web_app_set_header_color", { color });
  if (isAtLeast(version, "6.1")) post("web_app_set_background_color", { color });
}

/** The device's and Telegram's insets add up. */
function showInsets(type: string, insets: Readonly<Record<string, unknown>>): void {
  for (const side of ["top", "bottom"] as const) {
    const pixels = Number(insets[side]);
    if (Number.isFinite(pixels))
      document.documentElement.style.setProperty(`--${type.replaceAll("_", "-")}-${side}`, `${pixels}px`);
  }
}

/** Adverts and our pages beyond /app open in the browser, and chats in Telegram; the app stays. */
function openLinksOutside(version: string): void {
  window.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    const url = new URL(link.href, window.location.href);
    if (url.origin === window.location.origin && isInApp(url.pathname)) return;
    if (url.protocol !== "https:" && url.protocol !== "http:") return;
    event.preventDefault();
    const isChat = url.host === "t.me" && isAtLeast(version, "6.1");
    if (isChat) post("web_app_open_tg_link", { path_full: url.pathname + url.search });
    else post("web_app_open_link", { url: url.href });
  });
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
