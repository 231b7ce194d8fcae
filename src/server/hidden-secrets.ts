import type { Secrets } from "#backend/secrets.ts";
import type { Config } from "./config.ts";

export function passwordIn(url: string): string {
  return decodeURIComponent(URL.parse(url)?.password ?? "");
}

/** The secrets that must not appear in the log. */
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
    config.google?.clientSecret,
    config.metricsToken,
    config.mailIn?.tls?.key,
    config.monitoring.pingUrl && new URL(config.monitoring.pingUrl).pathname,
    ...passwords,
  ].filter((secret) => secret !== undefined);
}
