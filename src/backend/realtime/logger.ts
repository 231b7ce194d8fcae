/** The part of a pino logger used here. */
export type Logger = {
  info: (fields: Record<string, unknown>, message: string) => void;
  warn: (fields: Record<string, unknown>, message: string) => void;
  error: (fields: Record<string, unknown>, message: string) => void;
};

/** What may be logged of a failure: a database error also carries parameters, and those hold claims. */
export function failureFields(error: unknown): { failure: string; code?: string } {
  if (!(error instanceof Error)) return { failure: "unknown" };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return { failure: error.message, ...code };
}
