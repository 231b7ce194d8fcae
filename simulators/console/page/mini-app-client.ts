// What Telegram's client does for a page that it shows: https://core.telegram.org/bots/webapps. Runs in the browser that plays
// the client, so it imports nothing. It ignores, as clients do, what it does not know: unknown methods, those newer than its
// version, malformed JSON, calls from another origin than the app's, a link that no tap asked for, and the fourth popup.

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
  web_app_open_popup: "6.2",
  web_app_request_write_access: "6.9",
  web_app_setup_swipe_behavior: "7.7",
  web_app_send_prepared_message: "8.0",
  web_app_request_safe_area: "8.0",
  web_app_request_content_safe_area: "8.0",
};

/** At most so many popups in so long. */
const POPUPS = { most: 3, withinMs: 3_000 };

export interface ClientOptions {
  readonly version: string;
  /** Of the address that was opened. */
  readonly appOrigin: string;
  readonly theme: Readonly<Record<string, string>>;
  /** Sends an event to the page. */
  readonly send: (type: string, data?: unknown) => void;
  /** Old and broken clients answer nothing. */
  readonly isSilent?: boolean;
  /** Whether the person has just tapped. */
  readonly isTapped?: () => boolean;
  /** Asks the person whether the bot may write to them. */
  readonly allowWriting?: () => Promise<boolean>;
  /** Lets the person choose a chat for a prepared message. The error, if it was not sent. */
  readonly share?: (preparedId: string) => Promise<string | undefined>;
  readonly now?: () => number;
}

export interface Client {
  /** From a frame: JSON, and the origin of the page in it. */
  receiveMessage(message: unknown, origin: string): void;
  /** From a webview's proxy: a name, and its data as JSON. */
  receiveCall(type: unknown, json: unknown): void;
  /** The person chose another theme. */
  changeTheme(theme: Readonly<Record<string, string>>): void;
  readonly calls: { type: string; data: Record<string, unknown> }[];
  readonly ignored: string[];
  isBackShown: boolean;
  isClosed: boolean;
  /** Addresses that were opened outside. */
  readonly opened: string[];
}

export function createClient({
  version,
  appOrigin,
  theme,
  send,
  isSilent = false,
  isTapped = () => true,
  allowWriting = async () => false,
  share = async () => "USER_DECLINED",
  now = () => Date.now(),
}: ClientOptions): Client {
  const client: Client = {
    receiveMessage,
    receiveCall: (type, json) => receive(type, parsed(json)),
    changeTheme,
    calls: [],
    ignored: [],
    isBackShown: false,
    isClosed: false,
    opened: [],
  };
  let shownTheme = theme;
  const popupsAt: number[] = [];
  const answers: Record<string, (data: Record<string, unknown>) => void> = {
    web_app_request_theme: () => send("theme_changed", { theme_params: shownTheme }),
    web_app_open_popup: () => send("popup_closed", {}),
    web_app_request_write_access: async () =>
      send("write_access_requested", { status: (await allowWriting()) ? "allowed" : "cancelled" }),
    web_app_send_prepared_message: async ({ id }) => {
      const error = await share(String(id));
      if (error === undefined) send("prepared_message_sent");
      else send("prepared_message_failed", { error });
    },
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
  function receiveMessage(message: unknown, origin: string): void {
    const { eventType, eventData = {} } = parsed(message) ?? {};
    receive(origin === appOrigin ? eventType : undefined, eventData);
  }
  function receive(type: unknown, data: unknown): void {
    const isMalformed = typeof data !== "object" || data === null;
    if (typeof type !== "string" || isMalformed || !isKnown(type, version) || isTooMuch(type)) {
      client.ignored.push(String(type));
      return;
    }
    const said = data as Record<string, unknown>;
    client.calls.push({ type, data: said });
    acts[type]?.(said);
    if (!isSilent) answers[type]?.(said);
  }
  function isTooMuch(type: string): boolean {
    if (type !== "web_app_open_popup") return false;
    const recent = popupsAt.filter((at) => at > now() - POPUPS.withinMs);
    if (recent.length >= POPUPS.most) return true;
    popupsAt.push(now());
    return false;
  }
  function changeTheme(chosen: Readonly<Record<string, string>>): void {
    shownTheme = chosen;
    if (!isSilent) send("theme_changed", { theme_params: chosen });
  }
  return client;
}

/** Undefined if it is no JSON of an object. */
function parsed(json: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(String(json));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isKnown(type: string, version: string): boolean {
  const since = SINCE[type];
  if (since === undefined) return false;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = since.split(".").map(Number);
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
