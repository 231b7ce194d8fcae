// Which parts of the settings are secret, for what operators print and share.

const SECRET_NAME = /TOKEN|SECRET|_KEY$|^DKIM_RECORDS$|_TLS_CERT$/;
/** The path of this URL is what the monitoring service knows us by. */
const SECRET_PATH = "PING_URL";
const SHOWN_PARAMETERS = ["sslmode", "requireTLS"];
const HIDDEN = "…";

/** The text with everything replaced that gives access to something. */
export function hideSecrets(name: string, text: string): string {
  if (SECRET_NAME.test(name)) return HIDDEN;
  const url = text.includes("://") ? URL.parse(text) : null;
  if (url === null) return text;
  // Some mail services take their key as the username, so it is hidden too.
  const login = url.username || url.password ? `${HIDDEN}@` : "";
  const path = name === SECRET_PATH ? `/${HIDDEN}` : url.pathname.replace(/\/$/, "");
  const parameters = [...url.searchParams].map(
    ([key, value]) => `${key}=${SHOWN_PARAMETERS.includes(key) ? value : HIDDEN}`,
  );
  const query = parameters.length > 0 ? `?${parameters.join("&")}` : "";
  return `${url.protocol}//${login}${url.host}${path}${query}`;
}

const SHORTEST_SECRET = 6;

/** The secret texts among the settings, as they are and as they appear in a URL. */
export function secretsAmong(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings)
    .flatMap(([name, value]) => {
      if (typeof value !== "string") return [];
      if (SECRET_NAME.test(name)) return [value];
      const url = URL.parse(value);
      const path = name === SECRET_PATH ? (url?.pathname.slice(1) ?? "") : "";
      return [path, url?.password ?? "", decodeURIComponent(url?.password ?? "")];
    })
    .filter((secret) => secret.length >= SHORTEST_SECRET);
}
