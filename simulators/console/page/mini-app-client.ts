// What Telegram's client does for a page that it shows: https://core.telegram.org/bots/webapps. Runs in the browser that plays
// the client, so it imports nothing. It ignores, as clients do, what it does not know: unknown methods, those newer than its
// version, malformed JSON, and a link that no tap asked for.

/** Methods by the version that brought them. */
const SINCE: Readonly<Record<string, string>> = {
  iframe_ready: "6.0",
  iframe_will_reload: "6.0",
  web_app_ready: "6.0",
  web_app_expand: "6.0",
  web_app_close: "6.0",
  web_app_request_theme: "6.0",
  web_app_request_viewport: "6.0",
  web_app_open_link: "6.0",
  web_app_open_tg_link: "6.1",
  web_app_setup_back_button: "6.1",
  web_app_set_header_color: "6.1",
  web_app_set_background_color: "6.1",
  web_app_setup_swipe_behavior: "7.7",
  web_app_request_safe_area: "8.0",
  web_app_request_content_safe_area: "8.0",
};

export interface ClientOptions {
  readonly version: string;
  readonly theme: Readonly<Record<string, string>>;
  /** Sends an event to the page. */
  readonly send: (type: string, data?: unknown) => void;
  /** Old and broken clients answer nothing. */
  readonly isSilent?: boolean;
  /** Whether the person has just tapped. */
  readonly isTapped?: () => boolean;
}

export interface Client {
  receive(type: unknown, data: unknown): void;
  readonly calls: { type: string; data: Record<string, unknown> }[];
  readonly ignored: string[];
  isBackShown: boolean;
  isClosed: boolean;
  /** Addresses that were opened outside. */
  readonly opened: string[];
}

export function createClient({
  version,
  theme,
  send,
  isSilent = false,
  isTapped = () => true,
}: ClientOptions): Client {
  const client: Client = { receive, calls: [], ignored: [], isBackShown: false, isClosed: false, opened: [] };
  const answers: Record<string, () => void> = {
    web_app_request_theme: () => send("theme_changed", { theme_params: theme }),
    // macOS sends no size.
    web_app_request_viewport: () => send("viewport_changed", null),
    web_app_request_safe_area: () => send("safe_area_changed", { top: 24, bottom: 12, left: 0, right: 0 }),
    web_app_request_content_safe_area: () =>
      send("content_safe_area_changed", { top: 40, bottom: 0, left: 0, right: 0 }),
  };
  const acts: Record<string, (data: Record<string, unknown>) => void> = {
    web_app_setup_back_button: ({ is_visible }) => {
      client.isBackShown = is_visible === true;
    },
    web_app_close: () => {
      client.isClosed = true;
    },
    web_app_open_link: ({ url }) => isTapped() && client.opened.push(String(url)),
    web_app_open_tg_link: ({ path_full }) => client.opened.push(`https://t.me${String(path_full)}`),
  };
  function receive(type: unknown, data: unknown): void {
    const said = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
    if (typeof type !== "string" || !isKnown(type, version)) {
      client.ignored.push(String(type));
      return;
    }
    client.calls.push({ type, data: said });
    acts[type]?.(said);
    if (!isSilent) answers[type]?.();
  }
  return client;
}

function isKnown(type: string, version: string): boolean {
  const since = SINCE[type];
  if (since === undefined) return false;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = since.split(".").map(Number);
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
