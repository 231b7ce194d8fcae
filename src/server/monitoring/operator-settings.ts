// The operator's identity, and how incidents are reported.
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
  OPERATOR_REGISTER: words.optional(),
  DATA_PROTECTION_CONTACT: words.optional(),
  OPERATOR_CHAT_ID: z
    .string()
    .regex(/^-?\d{3,20}$/, "is the number of a Telegram chat")
    .optional(),
  PING_URL: z.url({ protocol: /^https?$/ }).optional(),
};

type OperatorValues = z.infer<z.ZodObject<typeof operatorSchema>>;

export function monitoringOf(values: OperatorValues) {
  return {
    operatorChatId: values.OPERATOR_CHAT_ID,
    operatorEmail: values.OPERATOR_EMAIL,
    pingUrl: values.PING_URL,
  };
}

export type Operator = ReturnType<typeof operatorOf>;

/** The operator's identity; a marked example if none is configured. */
export function operatorOf(values: OperatorValues) {
  return {
    name: values.OPERATOR_NAME ?? "Example operator (not a real one)",
    address: values.OPERATOR_ADDRESS ?? "Calle del Ejemplo 1, 28001 Madrid (example)",
    email: values.OPERATOR_EMAIL ?? "operator@example.com",
    register: values.OPERATOR_REGISTER ?? "–",
    dataProtectionContact: values.DATA_PROTECTION_CONTACT ?? values.OPERATOR_EMAIL ?? "privacy@example.com",
  };
}

const DEMANDED = ["OPERATOR_NAME", "OPERATOR_ADDRESS", "OPERATOR_EMAIL", "DATA_PROTECTION_CONTACT"];

/** Settings that `npm run serve` requires for public pages. */
export function missingOperator(values: Readonly<Record<string, string | undefined>>): string[] {
  if (values.ROLES !== undefined && !values.ROLES.includes("web")) return [];
  return DEMANDED.filter((name) => values[name] === undefined).map(
    (name) => `${name} is missing: the law asks that a service names who runs it`,
  );
}
