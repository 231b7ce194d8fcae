// A catalogue without a database: a column of each type, a function of each kind.
import type { Catalogue, Column, Named } from "#backend/rest/catalogue.ts";
import type { SqlText } from "#backend/rest/sql-text.ts";

const sqlOf = (text: string) => text as SqlText;

const named = (name: string, type: string): Named => ({
  name,
  sql: sqlOf(name === "odd name" ? '"odd name"' : name),
  type: sqlOf(`pg_catalog.${type}`),
});

const column = (name: string, type: string): Column => ({
  ...named(name, type),
  literal: sqlOf(`'${name}'`),
  arrayType: type.startsWith("_") ? null : sqlOf(`pg_catalog._${type}`),
  isJsonb: type === "jsonb",
  default: type === "uuid" ? sqlOf("gen_random_uuid()") : null,
});

export const COLUMNS = [
  "int4",
  "int8",
  "uuid",
  "text",
  "_text",
  "jsonb",
  "timestamptz",
  "bool",
  "numeric",
].map((type) => column(`a_${type}`, type));

const VERBS = ["select", "insert", "update", "delete"] as const;

export const CATALOGUE: Catalogue = {
  relations: new Map(
    ["things", "parts"].map((name) => {
      const columns = new Map([...COLUMNS, column("odd name", "text")].map((one) => [one.name, one]));
      const rights = { anon: VERBS, authenticated: VERBS };
      return [name, { sql: sqlOf(`public.${name}`), rights, columns, primaryKey: COLUMNS.slice(0, 1) }];
    }),
  ),
  routines: new Map(
    (["void", "value", "set"] as const).map((returns) => {
      const parameters = [named("first", "int4"), named("second", "jsonb"), named("third", "_text")];
      return [
        `gives_${returns}`,
        {
          name: `gives_${returns}`,
          sql: sqlOf(`public.gives_${returns}`),
          parameters: new Map(parameters.map((one) => [one.name, one])),
          required: parameters.slice(0, 1),
          returns,
          isVolatile: returns === "void",
          callers: ["anon", "authenticated"],
        },
      ];
    }),
  ),
};
