/**
 * An amount that a row states as a number or as text: 1449, "1.449 €" and "27 m²". Undefined for anything else.
 * SQL sorts and filters rows by the same amounts (`watch.amount_in`); supabase/tests/shared-rules.db.test.ts compares the two.
 */
export function amountIn(value: unknown): number | undefined {
  if (typeof value === "number") return value > 0 && value < 1e10 ? value : undefined;
  const digits = typeof value === "string" ? AMOUNT.exec(value.slice(0, 40))?.[1] : undefined;
  return Number(digits?.replaceAll(/[^0-9]/g, "")) || undefined;
}

// Thousands may be separated by a space, also a non-breaking one.
const AMOUNT =
  /^[ \u00a0\u202f]*€?[ \u00a0\u202f]*([0-9]{1,3}(?:[., \u00a0\u202f][0-9]{3}){1,2}|[0-9]{1,9})[ \u00a0\u202f]*(?:€|m²)?[ \u00a0\u202f]*$/;
