import { type Logger as PinoLogger, pino } from "pino";
import type { Secrets } from "#backend/secrets.ts";
import { BOT_TOKEN, SCRUBBED } from "#telegram/scrub-token.ts";
import type { Config } from "./config.ts";

export type ServerLogger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child">;

/** JSON lines with everything redacted that opens an account, a database or a mailbox. */
export function createLogger(options: {
  level: string;
  /** Values to redact wherever they appear; more can be added later. */
  secrets: readonly string[];
  write: (line: string) => void;
}): ServerLogger {
  const { level, secrets, write } = options;
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Redaction by path cannot see inside messages, causes and stacks, so the finished line is redacted.
    { write: (line: string) => write(scrub(line, secrets)) },
  );
}

const PATTERNS: [RegExp, string][] = [
  [/eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, "[jwt]"],
  [BOT_TOKEN, SCRUBBED],
  [/sb_(secret|publishable)_[\w-]+/g, "[key]"],
  [/:\/\/[^\s/:@"\\]*:[^\s/@"\\]+@/g, "://[credentials]@"],
  [
    /([?&#;]|%(?:25)*(?:3f|26|23|3b))((?:[\w-]*token[\w-]*|(?:auth_)?code|code_verifier|state|apikey|key|secret|password)(?:=|%(?:25)*3d))[^&#\s"\\]+/gi,
    "$1$2[hidden]",
  ],
  [
    /((?:password|secret|token|token_hash|auth_code|code_verifier|apikey|authorization|cookie)\\*"\s*:\s*\\*")[^"\\]+/gi,
    "$1[hidden]",
  ],
  // The auth service quotes the start of a code that the provider refused.
  [/(external code:? )[^\s"\\]+/gi, "$1[hidden]"],
  [/\b(Bearer|Basic)\s+[\w+/=.-]+/gi, "$1 [hidden]"],
  [/[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi, "[mail address]"],
];

function scrub(line: string, secrets: readonly string[]): string {
  let clean = line;
  for (const value of secrets.filter(({ length }) => length >= 6))
    clean = clean.replaceAll(value, "[secret]").replaceAll(encodeURIComponent(value), "[secret]");
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

export function secretsIn(config: Config, secrets: Partial<Secrets>): string[] {
  const passwords = [config.databaseUrl, config.mail?.smtpUrl, config.imap?.url].map((url) =>
    url ? passwordIn(url) : undefined,
  );
  return [
    secrets.databasePassword,
    config.jwtSecret,
    config.telegram.token,
    config.telegram.webhookSecret,
    config.idealista?.secret,
    config.searchByUrl?.key,
    config.signIn.google?.clientSecret,
    config.signIn.telegram?.clientSecret,
    config.metricsToken,
    config.mailIn?.tls?.key,
    config.monitoring.pingUrl && new URL(config.monitoring.pingUrl).pathname,
    ...passwords,
  ].filter((secret) => secret !== undefined);
}

export function passwordIn(url: string): string {
  return decodeURIComponent(URL.parse(url)?.password ?? "");
}
