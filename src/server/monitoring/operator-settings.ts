// The operator's identity, and how incidents are reported.
import { resolve } from "node:path";
import { z } from "zod";

// Joins lines into one: a file may have several.
const words = z
  .string()
  .transform((text) => text.replaceAll(/\s+/g, " ").trim())
  .pipe(
    z
      .string()
      .min(2)
      .max(300)
      .regex(/^\P{Cc}+$/u, "holds a character that cannot be shown")
      .regex(/^(?!.*(?:\{\{|\$t\())/, "holds {{ or $t(, which our texts would take for their own"),
  );

export const operatorSchema = {
  OPERATOR_NAME: words.optional(),
  OPERATOR_ADDRESS: words.optional(),
  OPERATOR_EMAIL: words.pipe(z.email()).optional(),
  HSTS: z.enum(["subdomains", "host", "off"]).default("subdomains"),
  SECURITY_CONTACT: z.union([z.email(), z.url({ protocol: /^https$/ })]).optional(),
  OPERATOR_REGISTER: words.optional(),
  OPERATOR_TAX_NUMBER: words.optional(),
  DATA_PROTECTION_CONTACT: words.optional(),
  HOSTING_PROVIDER: words.optional(),
  GOVERNING_LAW: words.optional(),
  BACKUP_DAYS: z.coerce.number().int().min(1).max(3_650).optional(),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(3_650).default(14),
  OPERATOR_CHAT_ID: z
    .string()
    .regex(/^-?\d{3,20}$/, "is the number of a Telegram chat")
    .optional(),
  PING_URL: z.url({ protocol: /^https?$/ }).optional(),
};

type OperatorValues = z.infer<z.ZodObject<typeof operatorSchema>>;
type OperatorFacts = Omit<OperatorValues, "BACKUP_KEEP" | "HSTS">;

export function monitoringOf(values: OperatorValues) {
  return {
    operatorChatId: values.OPERATOR_CHAT_ID,
    operatorEmail: values.OPERATOR_EMAIL,
    pingUrl: values.PING_URL,
    /** What the site tells browsers, and people who look for weaknesses. */
    security: {
      httpsOnly: values.HSTS,
      securityContact: values.SECURITY_CONTACT ?? operatorOf(values).email,
    },
    backups:
      values.BACKUP_DIR === undefined
        ? undefined
        : { folder: resolve(values.BACKUP_DIR), keep: values.BACKUP_KEEP },
  };
}

export type Operator = ReturnType<typeof operatorOf>;

/** The operator's identity; a marked example if none is configured. Undefined facts: the legal pages say so. */
export function operatorOf(values: OperatorFacts & { MAP_TILES_URL?: string | undefined }) {
  return {
    name: values.OPERATOR_NAME ?? "Example operator (not a real one)",
    address: values.OPERATOR_ADDRESS ?? "Calle del Ejemplo 1, 28001 Madrid (example)",
    email: values.OPERATOR_EMAIL ?? "operator@example.com",
    register: values.OPERATOR_REGISTER,
    taxNumber: values.OPERATOR_TAX_NUMBER,
    hostingProvider: values.HOSTING_PROVIDER,
    governingLaw: values.GOVERNING_LAW,
    mapTilesHost: values.MAP_TILES_URL === undefined ? undefined : new URL(values.MAP_TILES_URL).host,
    backupDays: values.BACKUP_DAYS?.toString(),
    dataProtectionContact: values.DATA_PROTECTION_CONTACT ?? values.OPERATOR_EMAIL ?? "privacy@example.com",
  };
}

const DEMANDED = ["OPERATOR_NAME", "OPERATOR_ADDRESS", "OPERATOR_EMAIL", "DATA_PROTECTION_CONTACT"];

const EXPECTED = ["OPERATOR_TAX_NUMBER", "HOSTING_PROVIDER", "GOVERNING_LAW", "BACKUP_DAYS"];

type GivenValues = Readonly<Record<string, unknown>>;

/** A sentence that names the facts the legal pages lack; undefined if they have all. */
export function missingFactsNotice(values: GivenValues): string | undefined {
  const missing = servesPages(values) ? EXPECTED.filter((name) => values[name] === undefined) : [];
  if (missing.length === 0) return undefined;
  return `The legal pages say that the operator has not provided these facts: ${missing.join(", ")} (.env.example explains them).`;
}

function servesPages({ ROLES }: GivenValues): boolean {
  return ROLES === undefined || String(ROLES).includes("web");
}

/** Settings that `npm run serve` requires for public pages. */
export function missingOperator(values: GivenValues): string[] {
  if (!servesPages(values)) return [];
  return DEMANDED.filter((name) => values[name] === undefined).map(
    (name) => `${name} is missing: the law asks that a service names who runs it`,
  );
}
