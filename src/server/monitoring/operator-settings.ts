// Who runs this and how they hear of trouble.
import { z } from "zod";

// On one line, whatever it was written on; a file may hold it on several.
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

/** How whoever runs this hears of trouble. */
export function monitoringOf(values: OperatorValues) {
  return {
    operatorChatId: values.OPERATOR_CHAT_ID,
    operatorEmail: values.OPERATOR_EMAIL,
    pingUrl: values.PING_URL,
  };
}

export type Operator = ReturnType<typeof operatorOf>;

/** Who answers for the service; an example, marked as one, where nobody is named. */
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

/** What `npm run serve` asks of whoever serves pages to others. */
export function missingOperator(values: Readonly<Record<string, string | undefined>>): string[] {
  if (values.ROLES !== undefined && !values.ROLES.includes("web")) return [];
  return DEMANDED.filter((name) => values[name] === undefined).map(
    (name) => `${name} is missing: the law asks that a service names who runs it`,
  );
}
