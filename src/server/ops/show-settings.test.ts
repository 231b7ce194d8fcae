import { expect, test } from "vitest";
import { CONFIG_NAMES, readSettings, settingsOfScheme } from "../config.ts";
import { secretsAmong } from "../secret-settings.ts";
import { showSettings } from "./show-settings.ts";

const MARKER = "hunter22hunter22hunter22hunter22";
/** A new setting is listed here, or `secret-settings.ts` hides it. */
const SHOWN = [
  ...["PORT", "HOST", "TRUSTED_PROXIES", "MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS", "OFFLINE_PAGES"],
  ...["API_REQUESTS_PER_MINUTE_PER_ADDRESS", "API_REQUESTS_PER_MINUTE_PER_PERSON", "ALLOWED_ORIGINS"],
  ...[
    "LOG_LEVEL",
    "DATA_DIR",
    "TELEGRAM_BOT_USERNAME",
    "MINI_APP",
    "IDEALISTA_MONTHLY_REQUESTS",
    "MAIL_FROM",
  ],
  ...[
    "SEARCH_BY_URL_MONTHLY_REQUESTS",
    "ROUTES_DAILY_REQUESTS",
    "MAIL_IN_PORT",
    "MAIL_IN_HOST",
    "MAIL_IN_DOMAIN",
  ],
  ...[
    "IMAP_PERSON",
    "IMAP_FOLDER",
    "GOOGLE_CLIENT_ID",
    "HOSTED_TELEGRAM_LOGIN",
    "CHECK_INTERVAL_SECONDS",
    "ROLES",
  ],
  ...[
    "SESSION_IDLE_DAYS",
    "SESSION_MAX_DAYS",
    "SIGN_UPS_PER_ADDRESS_PER_DAY",
    "OPERATOR_NAME",
    "OPERATOR_ADDRESS",
  ],
  ...[
    "OPERATOR_EMAIL",
    "HSTS",
    "SECURITY_CONTACT",
    "OPERATOR_REGISTER",
    "OPERATOR_TAX_NUMBER",
    "DATA_PROTECTION_CONTACT",
    "HOSTING_PROVIDER",
  ],
  ...["GOVERNING_LAW", "BACKUP_DAYS", "BACKUP_DIR", "BACKUP_KEEP", "OPERATOR_CHAT_ID"],
  "MAP_TILES_FILE",
];

test("RUN-07 ops config shows every setting and no secret", () => {
  const urls = ["http", "postgres", "smtp", "imap"].flatMap((scheme) =>
    settingsOfScheme(scheme).map((name) => {
      const path = name === "PING_URL" ? MARKER : "path";
      return [name, `${scheme}://${MARKER}:${MARKER}@host.example:99/${path}?key=${MARKER}&sslmode=require`];
    }),
  );
  const environment = {
    ...Object.fromEntries(CONFIG_NAMES.map((name) => [name, SHOWN.includes(name) ? "shown" : MARKER])),
    ...Object.fromEntries(urls),
  };
  const settings = readSettings({ environment });
  const shown = showSettings(settings);
  expect(Object.keys(shown)).toEqual(CONFIG_NAMES);
  expect(JSON.stringify(shown)).not.toContain("hunter22");
  expect(shown).toMatchObject({
    HOST: "shown",
    TELEGRAM_BOT_TOKEN: "…",
    SMTP_URL: "smtp://…@host.example:99/path?key=…&sslmode=require",
    PING_URL: "http://…@host.example:99/…?key=…&sslmode=require",
  });
  const said = secretsAmong({
    SMTP_URL: "smtp://u:a%2Fpassword@host",
    PING_URL: "https://host/a-long-path",
    PORT: 1,
  });
  expect(said).toEqual(["a%2Fpassword", "a/password", "a-long-path"]);
});

test("RUN-07 ops config shows defaults, secrets from files and what is not set", () => {
  const shown = showSettings(readSettings({ environment: { JWT_SECRET_FILE: "package.json", HOST: "::1" } }));
  expect(shown).toMatchObject({
    HOST: "::1",
    PORT: "3000 (default)",
    ROLES: "web,watcher,bot,mail (default)",
    JWT_SECRET: "…",
    SMTP_URL: null,
    ALLOWED_ORIGINS: null,
  });
});
