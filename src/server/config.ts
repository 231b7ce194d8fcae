// The only reader of the environment. All mistakes are reported together; the result is frozen and passed down.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { mapTilesOf, mapTilesSchema } from "./map-tiles/map-tiles-settings.ts";
import { monitoringOf, operatorOf, operatorSchema } from "./monitoring/operator-settings.ts";
import { signInOf, signInSchema } from "./sign-in-settings.ts";
import { missingSettings } from "./start/missing-settings.ts";
import { findFileMistakes, findUnknownSettings } from "./start/settings-file.ts";
import { telegramOf, telegramSchema } from "./telegram-settings.ts";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
const port = z.coerce.number().int().min(0).max(65_535);
const secret = z.string().min(1);
const days = z.coerce.number().int().min(1).max(3_650);
const DAY_MS = 86_400_000;
export const ROLES = ["web", "watcher", "bot", "mail"] as const;
const ALL_ROLES = ROLES.join(",");

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  SITE_URL: url.optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  MAX_CONNECTIONS: z.coerce.number().int().min(10).max(60_000).default(5_000),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(60_000).default(256),
  API_REQUESTS_PER_MINUTE_PER_ADDRESS: z.coerce.number().int().positive().default(3_000),
  API_REQUESTS_PER_MINUTE_PER_PERSON: z.coerce.number().int().positive().default(600),
  ALLOWED_ORIGINS: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((origin) => origin.trim()))
    .transform((origins) => origins.filter((origin) => origin !== ""))
    .refine((origins) => origins.every(isOrigin), "must be a list of origins such as https://sereno.example"),
  OFFLINE_PAGES: z.enum(["on", "off"]).default("on"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: databaseUrl.optional(),
  PEOPLE_DATABASE_URL: databaseUrl.optional(),
  AUTH_DATABASE_URL: databaseUrl.optional(),
  SUPABASE_URL: url.optional(),
  SUPABASE_PUBLISHABLE_KEY: secret.optional(),
  JWT_SECRET: z.string().min(32).optional(),
  ...telegramSchema,
  IDEALISTA_API_KEY: secret.optional(),
  IDEALISTA_API_SECRET: secret.optional(),
  IDEALISTA_API_URL: url.default("https://api.idealista.com"),
  IDEALISTA_MONTHLY_REQUESTS: z.coerce.number().int().positive().default(100),
  SEARCH_BY_URL_API_URL: url.optional(),
  SEARCH_BY_URL_API_KEY: secret.optional(),
  SEARCH_BY_URL_MONTHLY_REQUESTS: z.coerce.number().int().positive().default(1000),
  ROUTES_URL: url.optional(),
  ROUTES_KEY: secret.optional(),
  ROUTES_DAILY_REQUESTS: z.coerce.number().int().positive().default(500),
  ...mapTilesSchema,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  MAIL_IN_PORT: port.optional(),
  MAIL_IN_HOST: z.string().optional(),
  MAIL_IN_DOMAIN: z
    .hostname()
    .transform((name) => name.toLowerCase())
    .optional(),
  MAIL_IN_TLS_CERT: secret.optional(),
  MAIL_IN_TLS_KEY: secret.optional(),
  IMAP_URL: z.url({ protocol: /^imaps?$/ }).optional(),
  IMAP_PERSON: z.email().optional(),
  IMAP_FOLDER: z.string().min(1).default("INBOX"),
  DKIM_RECORDS: z
    .string()
    .transform((text, context) => {
      const parsed = z.record(z.string(), z.string()).safeParse(jsonOf(text));
      if (!parsed.success)
        context.addIssue({ code: "custom", message: "must be a JSON object of names and records" });
      return parsed.data ?? {};
    })
    .optional(),
  ...signInSchema,
  SUPPORT_URL: url.default("https://t.me/SerenoSupport"),
  LEGAL_SITE_URL: url.optional(),
  CHECK_INTERVAL_SECONDS: z.coerce.number().int().min(5).max(86_400).default(600),
  ROLES: z
    .string()
    .default(ALL_ROLES)
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(ROLES))),
  METRICS_TOKEN: z.string().min(16).optional(),
  SESSION_IDLE_DAYS: days.default(30),
  SESSION_MAX_DAYS: days.default(180),
  SIGN_UPS_PER_ADDRESS_PER_DAY: z.coerce.number().int().min(0).max(1_000_000).default(50),
  ...operatorSchema,
});

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

export const CONFIG_NAMES = Object.keys(schema.shape);

/** The settings that hold a URL of this scheme: they accept one, and reject text without a scheme. */
export function settingsOfScheme(scheme: string): string[] {
  const text = "host.example/a-path-that-is-as-long-as-a-secret";
  return Object.entries(schema.shape)
    .filter(([, one]) => one.safeParse(`${scheme}://${text}`).success && !one.safeParse(text).success)
    .map(([name]) => name);
}

export type Config = Readonly<ReturnType<typeof shape>>;

class ConfigError extends Error {
  override name = "ConfigError";
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`The settings need attention (see .env.example): ${mistakes.join("; ")}.`);
    this.mistakes = mistakes;
  }
}

/** Finds further mistakes in the values. */
export type FindMistakes = (values: Readonly<Record<string, string | undefined>>) => string[];

export type Settings = {
  /** Undefined if there are mistakes. */
  config: Config | undefined;
  mistakes: string[];
  /** The settings that are valid by themselves, so that the services they name can still be checked. */
  usable: UsableSettings;
  /** A sentence for each name that is not a setting. */
  unknown: string[];
  /** The text of each setting that is set. */
  values: Readonly<Record<string, string | undefined>>;
};

export type UsableSettings = Partial<z.infer<typeof schema>>;

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { config, mistakes } = readSettings({ environment });
  if (config === undefined) throw new ConfigError(mistakes);
  return config;
}

/** Reads the settings. A setting NAME can also be read from the file that NAME_FILE points to. */
export function readSettings({
  environment = process.env,
  file = "",
  findMistakes = () => [],
}: {
  environment?: NodeJS.ProcessEnv;
  /** The text of the settings file, whose values are in the environment already. */
  file?: string;
  findMistakes?: FindMistakes | undefined;
}): Settings {
  const mistakes = findFileMistakes(file);
  const values = Object.fromEntries(
    CONFIG_NAMES.map((name) => [name, settingOf(name, environment, mistakes)]).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    // Values are never quoted: they may be secrets.
    mistakes.push(values[name] === undefined ? `${name} is missing` : `${name}: ${issue.message}`);
  }
  const roles = ROLES.filter((name) => (values.ROLES ?? ALL_ROLES).includes(name));
  mistakes.push(...missingSettings(roles, values), ...findMistakes(values));
  const isRight = parsed.success && mistakes.length === 0;
  return {
    config: isRight ? Object.freeze(shape(parsed.data)) : undefined,
    mistakes,
    usable: parsed.data ?? usableOf(values),
    unknown: findUnknownSettings({ file, environment, settings: CONFIG_NAMES }),
    values,
  };
}

function usableOf(values: Record<string, string | undefined>): UsableSettings {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, one]) => [name, one.safeParse(values[name]).data]),
  );
}

function settingOf(name: string, environment: NodeJS.ProcessEnv, mistakes: string[]): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name] || undefined;
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    mistakes.push(`${name}_FILE points to a file that can't be read`);
    return undefined;
  }
}

function limitsOf(env: z.infer<typeof schema>) {
  return {
    maxConnections: { total: env.MAX_CONNECTIONS, perAddress: env.MAX_CONNECTIONS_PER_ADDRESS },
    requestBudget: {
      perAddress: env.API_REQUESTS_PER_MINUTE_PER_ADDRESS,
      perPerson: env.API_REQUESTS_PER_MINUTE_PER_PERSON,
    },
    sessionLimits: { idleMs: env.SESSION_IDLE_DAYS * DAY_MS, maxMs: env.SESSION_MAX_DAYS * DAY_MS },
  };
}

function shape(env: z.infer<typeof schema>) {
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`;
  return {
    port: env.PORT,
    host: env.HOST,
    siteUrl,
    trustedProxies: env.TRUSTED_PROXIES,
    ...limitsOf(env),
    allowedOrigins: env.ALLOWED_ORIGINS,
    offlinePages: env.OFFLINE_PAGES === "on",
    logLevel: env.LOG_LEVEL,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    /** The logins for people's requests and for sign-in, on an external PostgreSQL server. */
    logins: pair(env.PEOPLE_DATABASE_URL, env.AUTH_DATABASE_URL, (people, auth) => ({ people, auth })),
    supabase: pair(env.SUPABASE_URL, env.SUPABASE_PUBLISHABLE_KEY, (url, publishableKey) => ({
      url,
      publishableKey,
    })),
    jwtSecret: env.JWT_SECRET,
    telegram: telegramOf(env, siteUrl),
    idealista: pair(env.IDEALISTA_API_KEY, env.IDEALISTA_API_SECRET, (key, apiSecret) => ({
      key,
      secret: apiSecret,
      url: env.IDEALISTA_API_URL,
      monthlyRequests: env.IDEALISTA_MONTHLY_REQUESTS,
    })),
    searchByUrl: pair(env.SEARCH_BY_URL_API_URL, env.SEARCH_BY_URL_API_KEY, (apiUrl, key) => ({
      url: apiUrl,
      key,
      monthlyRequests: env.SEARCH_BY_URL_MONTHLY_REQUESTS,
    })),
    mail: pair(env.SMTP_URL, env.MAIL_FROM, (smtpUrl, from) => ({ smtpUrl, from })),
    /** A routing server for walking and cycling times. */
    routes:
      env.ROUTES_URL === undefined
        ? undefined
        : { baseUrl: env.ROUTES_URL, key: env.ROUTES_KEY, dailyRequests: env.ROUTES_DAILY_REQUESTS },
    /** Vector tiles for the map. */
    mapTiles: mapTilesOf(env),
    /** How alert mails are received: by SMTP, from a mailbox, both or neither. */
    mailIn: pair(env.MAIL_IN_PORT, env.MAIL_IN_DOMAIN, (inPort, domain) => ({
      host: env.MAIL_IN_HOST ?? env.HOST,
      port: inPort,
      domain,
      tls: pair(env.MAIL_IN_TLS_CERT, env.MAIL_IN_TLS_KEY, (cert, key) => ({ cert, key })),
    })),
    imap: pair(env.IMAP_URL, env.IMAP_PERSON, (imapUrl, person) => ({
      url: imapUrl,
      person,
      folder: env.IMAP_FOLDER,
    })),
    /** DKIM keys of senders that have no DNS records, for tests. */
    dkimRecords: env.DKIM_RECORDS,
    signIn: signInOf(env),
    supportUrl: env.SUPPORT_URL,
    legalSiteUrl: env.LEGAL_SITE_URL ?? siteUrl,
    checkIntervalSeconds: env.CHECK_INTERVAL_SECONDS,
    roles: env.ROLES,
    metricsToken: env.METRICS_TOKEN,
    monitoring: monitoringOf(env),
    operator: operatorOf(env),
    signUpsPerAddressPerDay: env.SIGN_UPS_PER_ADDRESS_PER_DAY,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pair<A, B, T>(first: A | undefined, second: B | undefined, make: (first: A, second: B) => T) {
  return first !== undefined && second !== undefined ? make(first, second) : undefined;
}
