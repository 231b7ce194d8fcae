// Who runs this and how they hear of trouble.
import { z } from "zod";

const words = z.string().trim().min(2).max(300);

export const operatorSchema = {
  OPERATOR_NAME: words.optional(),
  OPERATOR_ADDRESS: words.optional(),
  OPERATOR_EMAIL: z.email().optional(),
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
