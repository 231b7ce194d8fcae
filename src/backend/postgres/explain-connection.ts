/** Why a connection failed, as one sentence that names the host and the setting, never the password. */
export function explainConnection(error: unknown, databaseUrl: string, setting = "DATABASE_URL"): string {
  const url = new URL(databaseUrl);
  const place = `${url.hostname || url.searchParams.get("host") || "localhost"}:${url.port || 5432}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = error instanceof Error ? error.message : String(error);
  const [, reason] = REASONS.find(([sign]) => sign.test(code) || sign.test(words)) ?? [];
  return `The database at ${place} ${reason ?? `cannot be used (${code || words})`}; see ${setting}.`;
}

const REASONS: [RegExp, string][] = [
  [/^ECONNREFUSED$/, "refuses connections: is it running, and does it listen there"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "has an unknown host name"],
  [/^(CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|^No answer within/, "does not answer"],
  [/^(28P01|28000)$/, "refuses the user or the password"],
  [/^3D000$/, "has no database of that name"],
  [/^53300$/, "has no free connections"],
  [/^57P0[123]$/, "is starting or stopping: try again in a moment"],
  [/^55000$/, "accepts no connections to that database"],
  [/startup parameter/i, "is behind a pooler that hides the server's sessions: connect to the server itself"],
  [/SSL|TLS|certificate|self.signed|^ECONNRESET$/i, "requires other encryption settings: see sslmode"],
];
