// SQL text has its own type, so that the compiler rejects a plain string, and with it anything a caller sent, as part
// of a statement (READ-01). Only this file makes SQL text from strings; names in the catalogue are quoted by
// PostgreSQL.

declare const brand: unique symbol;

export type SqlText = string & { readonly [brand]: true };

export function sql(fixed: TemplateStringsArray, ...pieces: SqlText[]): SqlText {
  let text = fixed[0] ?? "";
  for (const [index, piece] of pieces.entries()) text += piece + (fixed[index + 1] ?? "");
  return text as SqlText;
}

export function joinSql(pieces: readonly SqlText[], separator: ", " | " and " | " or " | ""): SqlText {
  return pieces.join(separator) as SqlText;
}

export type Parameters = {
  readonly values: (string | null)[];
  /** Adds a value and returns its placeholder. */
  bind: (value: string) => SqlText;
};

export function createParameters(): Parameters {
  const values: string[] = [];
  return { values, bind: (value) => `$${values.push(value)}::text` as SqlText };
}
