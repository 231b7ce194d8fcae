// The `filter` of a postgres_changes binding: `column=operator.value`, several joined by commas as AND,
// values quoted as realtime-js quotes them. PostgreSQL itself compares, so types behave as in a query.

const operators = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  isdistinct: "is distinct from",
  like: "like",
  ilike: "ilike",
  in: "in",
  is: "is",
} as const;

type FilterOperator = keyof typeof operators;

export type FilterCondition = {
  column: string;
  operator: FilterOperator;
  isNegated: boolean;
  /** One value, but for `in`. */
  values: string[];
};

type ParsedFilter = { ok: true; conditions: FilterCondition[] } | { ok: false; reason: string };

const mostConditions = 10;
const mostListValues = 100;
const truthKeywords = ["null", "true", "false", "unknown"];

export function parseFilter(text: string): ParsedFilter {
  const conditions: FilterCondition[] = [];
  let at = 0;
  while (at < text.length) {
    const parsed = parseCondition(text, at);
    if (!parsed.ok) return parsed;
    conditions.push(parsed.condition);
    if (conditions.length > mostConditions) return refused(`more than ${mostConditions} conditions`);
    at = parsed.end + 1;
  }
  return text.endsWith(",") ? refused("nothing follows the last comma") : { ok: true, conditions };
}

/** The condition as SQL on column `target`, whose type is `sqlType`; `bind` turns a value into an expression of type text. */
export function filterSql(
  condition: FilterCondition,
  { target, sqlType, bind }: { target: string; sqlType: string; bind: (value: string) => string },
): string {
  const comparison = comparisonSql(condition, target, sqlType, bind);
  return `coalesce(${condition.isNegated ? `not (${comparison})` : comparison}, false)`;
}

function comparisonSql(
  { operator, values }: FilterCondition,
  target: string,
  sqlType: string,
  bind: (value: string) => string,
): string {
  const [value = ""] = values;
  switch (operator) {
    case "is":
      return `${target} is ${value}`;
    case "in":
      return `${target} = any (select jsonb_array_elements_text(${bind(JSON.stringify(values))}::jsonb)::${sqlType})`;
    case "like":
    case "ilike":
      return `${target}::text ${operator} ${bind(value)}`;
    default:
      return `${target} ${operators[operator]} ${bind(value)}::${sqlType}`;
  }
}

type ParsedCondition = { ok: true; condition: FilterCondition; end: number } | { ok: false; reason: string };
type ParsedValues = { ok: true; values: string[]; end: number } | { ok: false; reason: string };

const head = /\s*([^=,()"]+)=(not\.)?([a-z]+)\./y;

function parseCondition(text: string, start: number): ParsedCondition {
  head.lastIndex = start;
  const found = head.exec(text);
  const [, column, not, operator] = found ?? [];
  if (column === undefined || operator === undefined) return refused("expected column=operator.value");
  if (!isOperator(operator)) return refused(`unknown operator ${operator}`);
  const parsed = operator === "in" ? parseList(text, head.lastIndex) : parseScalar(text, head.lastIndex);
  if (!parsed.ok) return parsed;
  if (operator === "is" && !truthKeywords.includes(parsed.values[0] ?? "")) {
    return refused(`is takes ${truthKeywords.join(", ")}`);
  }
  const condition = { column, operator, isNegated: not !== undefined, values: parsed.values };
  return { ok: true, condition, end: parsed.end };
}

const quotedScalar = /"((?:[^"\\]|\\.)*)"(?=,|$)/y;
// An unquoted value may hold commas; only one that opens another condition ends it.
const nextCondition = /,\s*[^=,()"]+=(?:not\.)?[a-z]+\./g;

function parseScalar(text: string, start: number): ParsedValues {
  quotedScalar.lastIndex = start;
  const quoted = quotedScalar.exec(text);
  if (quoted) return { ok: true, values: [unescaped(quoted[1] ?? "")], end: quotedScalar.lastIndex };
  nextCondition.lastIndex = start;
  const end = nextCondition.exec(text)?.index ?? text.length;
  return { ok: true, values: [text.slice(start, end)], end };
}

const listItem = /\s*(?:"((?:[^"\\]|\\.)*)"|([^,()"]+))\s*([,)])/y;

function parseList(text: string, start: number): ParsedValues {
  const values: string[] = [];
  if (text[start] !== "(") return refused("in takes a list in parentheses");
  listItem.lastIndex = start + 1;
  while (values.length < mostListValues) {
    const item = listItem.exec(text);
    if (!item) return refused("the list is not closed");
    values.push(item[1] === undefined ? (item[2] ?? "").trim() : unescaped(item[1]));
    const end = listItem.lastIndex;
    if (item[3] === ")") {
      const isLast = end === text.length || text[end] === ",";
      return isLast ? { ok: true, values, end } : refused("unexpected text after the list");
    }
  }
  return refused(`more than ${mostListValues} values`);
}

function isOperator(name: string): name is FilterOperator {
  return Object.hasOwn(operators, name);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
