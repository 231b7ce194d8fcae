// The settings that `npm run serve` refuses, because people's passwords and chats depend on them. `npm start` and the
// tests serve one machine and do not check them. No message quotes a value: it may be a secret.
import { settingsOfScheme } from "../config.ts";

type Values = Readonly<Record<string, string | undefined>>;

export function unsafeSettings(values: Values): string[] {
  return [
    ...siteMistakes(values.SITE_URL),
    ...mistakesOf("http", plainHttpMistakes, values),
    ...originMistakes(values.ALLOWED_ORIGINS),
    ...secretMistakes(values),
    ...mistakesOf("smtp", mailMistakes, values),
    ...mistakesOf("postgres", databaseMistakes, values),
    ...publishedKeyMistakes(values.SUPABASE_PUBLISHABLE_KEY),
    ...mailKeyMistakes(values.DKIM_RECORDS),
  ];
}

type FindIn = (name: string, value: string | undefined) => string[];

/** One rule per URL scheme, so that a new setting cannot be forgotten. */
function mistakesOf(scheme: string, find: FindIn, values: Values): string[] {
  return settingsOfScheme(scheme).flatMap((name) => find(name, values[name]));
}

function siteMistakes(site: string | undefined): string[] {
  return site === undefined
    ? ["SITE_URL is missing: links in emails would lead to the reader's own machine"]
    : [];
}

function plainHttpMistakes(name: string, value: string | undefined): string[] {
  const url = URL.parse(value ?? "");
  if (!url || url.protocol === "https:" || isLoopback(url.hostname)) return [];
  return [`${name} must begin with https://: without it anyone in between can read and change what is sent`];
}

function originMistakes(origins = ""): string[] {
  return [...new Set(origins.split(",").flatMap((one) => plainHttpMistakes("ALLOWED_ORIGINS", one.trim())))];
}

function mailKeyMistakes(records: string | undefined): string[] {
  if (records === undefined) return [];
  return ["DKIM_RECORDS is for tests: the holder of such a key could send alert emails in a portal's name"];
}

function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** How many unpredictable characters a secret needs. */
const SECRETS = { JWT_SECRET: 16, METRICS_TOKEN: 8, TELEGRAM_WEBHOOK_SECRET: 16 };

function secretMistakes(values: Values): string[] {
  return Object.entries(SECRETS).flatMap(([name, needed]) => {
    const value = values[name];
    if (value === undefined || unpredictableLengthOf(value) >= needed) return [];
    return [`${name} can be guessed: make one with \`openssl rand -base64 48 | tr -d '/+=\\n'\``];
  });
}

// Words that examples, tutorials and people in a hurry use in secrets; Supabase's examples consist of them.
const WORDS =
  /super|secret|token|with|least|characters?|long|your|jwt|change|this|that|must|should|please|replace|insert|here|value|really|very|safe|string|bits?|bytes?|passw(?:or)?d|pass|admin|root|user|guest|default|example|sample|demo|dummy|local|host|test|prod(?:uction)?|dev(?:elopment)?|staging|public|private|key|auth|metrics?|monitor(?:ing)?|prometheus|grafana|scrape|telegram|webhook|bot|supabase|postgres(?:ql)?|postgrest|gotrue|sereno|idealista|madrid|hello|world|welcome|letmein|foo|bar|baz|qux|lorem|ipsum|qwertz?(?:uiop)?|yuiop|asdf(?:ghjkl)?|zxcv(?:bnm)?|deadbeef|cafebabe|(?:19|20)\d\d|and|the|for|not|use|only|min(?:imum)?|random|server|service|role|anon|api|app|my|at|me|in|is|an?(?=[^a-z]|$)/g;

/**
 * The number of characters that remain without known words, repetitions and sequences such as `abc` and `321`: those an
 * attacker would have to guess. Zero if only a few different ones remain.
 */
function unpredictableLengthOf(secret: string): number {
  const rest = secret
    .toLowerCase()
    .replace(WORDS, " ")
    .replace(/[^a-z\d]/g, "");
  const once = rest.replace(/(.{1,16}?)\1+/g, "$1");
  const unpredictable = [...once].filter((character, place) => {
    const step = character.charCodeAt(0) - once.charCodeAt(place - 1);
    return Number.isNaN(step) || Math.abs(step) > 1;
  });
  return new Set(unpredictable).size < 6 ? 0 : unpredictable.length;
}

function mailMistakes(name: string, value: string | undefined): string[] {
  const url = URL.parse(value ?? "");
  if (!url || isLoopback(url.hostname)) return [];
  const asked = url.searchParams;
  const isEncrypted = url.protocol === "smtps:" || ["true", "1"].includes(asked.get("requireTLS") ?? "");
  const isWeakened = asked.get("ignoreTLS") !== null || asked.get("tls.rejectUnauthorized") !== null;
  if (isEncrypted && !isWeakened) return [];
  return [
    `${name} sends emails and the mailbox's password in the clear: use smtps://, or smtp:// with ?requireTLS=true, and leave ignoreTLS and tls.rejectUnauthorized out`,
  ];
}

function databaseMistakes(name: string, value: string | undefined): string[] {
  const url = URL.parse(value ?? "");
  if (!url) return [];
  const hosts = [url.searchParams.get("host") ?? "", url.hostname].filter((host) => host !== "");
  if (hosts.every((host) => isLoopback(host) || isOwnNetwork(host))) return [];
  if (["require", "verify-ca", "verify-full"].includes(url.searchParams.get("sslmode") ?? "")) return [];
  return [`${name} leads to another network in the clear: add ?sslmode=require`];
}

/** A socket, a host name without a dot (containers), or a private address. */
function isOwnNetwork(host: string): boolean {
  return (
    host.startsWith("/") || /^[\w-]+$/.test(host) || /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  );
}

function publishedKeyMistakes(key: string | undefined): string[] {
  if (key === undefined) return [];
  const [, claims = ""] = key.split(".");
  const isSecret = key.startsWith("sb_secret_") || decodeBase64Url(claims).includes("service_role");
  return isSecret
    ? ["SUPABASE_PUBLISHABLE_KEY is a secret key, and every visitor is given it: use the publishable one"]
    : [];
}

function decodeBase64Url(text: string): string {
  return Buffer.from(text, "base64url").toString("utf8");
}
