import { expect, test } from "vitest";
import { createQuestions, type GeneratedQuestion } from "#test/rest-questions/create-questions.ts";
import { CATALOGUE, COLUMNS } from "#test/rest-questions/fixed-catalogue.ts";
import { CANARY } from "#test/rest-questions/values.ts";
import { SEQUENCE_SEED, seeded, sequenceRuns } from "#test/seeded.ts";
import { compileQuery } from "./compile-query.ts";
import { parseRequest, parseTarget } from "./parse-request.ts";
import { RequestRefused } from "./rest-error.ts";

const QUESTIONS = sequenceRuns(5_000);

// Every word that may occur in a statement: fixed ones and those of the catalogue.
const WORDS = new Set(
  `select count text as rows body total from where and or not is null true false unknown like ilike any order by asc desc
  nulls first last limit offset bigint int coalesce json_agg jsonb json json_build_object to_jsonb to_json item rest_row with
  insert into update delete set returning on conflict do nothing excluded json_to_recordset jsonb_to_recordset json_to_record
  json_array_elements jsonb_array_elements jsonb_agg jsonb_build_object element value called gen_random_uuid t
  public pg_catalog things parts gives_void gives_value gives_set second third`
    .split(/\s+/)
    .concat(COLUMNS.flatMap(({ name, type }) => [name, `${type}`.slice(11), `_${`${type}`.slice(11)}`])),
);
const TOKENS =
  /"odd name"|'odd name'|'a_\w+'|'1'|'\[\]'|'null'|''|\$\d+|[a-z_][a-z0-9_]*|->>|->|=>|<>|<=|>=|@>|\|\||::|[=<>*().,[\]]|\S/g;
const SIGNS = new Set(
  `"odd name" 'odd name' '1' '[]' 'null' '' ->> -> => <> <= >= @> || :: = < > * ( ) . , [ ] 1`.split(
    / (?!name)/,
  ),
);

const isOfFixedSql = (token: string) =>
  SIGNS.has(token) || WORDS.has(token) || /^\$\d+$|^'a_\w+'$/.test(token);

/** The statement for a request; throws RequestRefused if it is refused. */
function statementOf({ method, path, headers, body }: GeneratedQuestion) {
  const [name = "", ...query] = path.split("?");
  const target = parseTarget(method, `/rest/v1/${name}`);
  if (!target) throw new Error("no such route");
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  const search = query.length > 0 ? `?${query.join("?")}` : "";
  const request = { method, target, search, headers: new Headers(headers), body: bytes };
  return compileQuery(parseRequest(request, CATALOGUE));
}

function faultIn({ text, values }: ReturnType<typeof statementOf>): string | undefined {
  const foreign = text.match(TOKENS)?.find((token) => !isOfFixedSql(token));
  if (foreign !== undefined || CANARY.test(text)) return `${foreign} in ${text}`;
  const isText = (value: unknown) =>
    typeof value === "string" && value.isWellFormed() && !value.includes("\0");
  return values.every(isText) ? undefined : `a value of ${text} is not a text`;
}

const STATUSES = [400, 404, 405, 406, 415, 416];

/** The code of the refusal, or "statement". Throws for anything else. */
function codeOf(question: GeneratedQuestion): string {
  try {
    const fault = faultIn(statementOf(question));
    if (fault) throw new Error(fault);
    return "statement";
  } catch (error) {
    const isRight =
      error instanceof RequestRefused &&
      STATUSES.includes(error.refusal.status) &&
      !CANARY.test(error.message);
    if (!isRight) throw new Error(JSON.stringify(question), { cause: error });
    return error.refusal.code;
  }
}

test(`READ-01 READ-02 of ${QUESTIONS} generated requests none puts a byte of its own into SQL, and each is parsed or refused (seed ${SEQUENCE_SEED})`, () => {
  const next = createQuestions(CATALOGUE, seeded(SEQUENCE_SEED));
  const codes = new Map<string, number>();
  for (let number = 0; number < QUESTIONS; number += 1) {
    const question = next();
    const code = codeOf(question);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect(codes.get("statement")).toBeGreaterThan(QUESTIONS / 4);
  expect([...codes.keys()].toSorted()).toEqual(
    "21000 42703 PGRST100 PGRST101 PGRST102 PGRST106 PGRST107 PGRST202 PGRST204 PGRST205 statement".split(
      " ",
    ),
  );
});
