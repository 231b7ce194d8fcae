// What may be asked of the data API: columns, values and combinations of them, each bounded. lite takes more than it can
// answer, and reads names like `__proto__` into objects of its own; whatever is not of this grammar does not reach it.

const MAX_CHARACTERS = 8_192;
const MAX_PARAMETERS = 40;
const MAX_DEPTH = 5;
const MAX_ITEMS = 200;

const NAME = "[a-z_][a-z0-9_]{0,62}";
const COLUMN = `${NAME}(?:->>?(?:\\w{1,63}|-\\d{1,9})){0,5}`;
const FILTERED = new RegExp(`^(?:${NAME}\\.){0,${MAX_DEPTH}}${COLUMN}$`);
const LOGIC = new RegExp(`^(?:${NAME}\\.){0,${MAX_DEPTH}}?(?:not\\.)?(?:or|and)$`);
const ORDER = new RegExp(
  `^(?:${COLUMN}|${NAME}\\(${COLUMN}\\))(?:\\.(?:asc|desc))?(?:\\.nulls(?:first|last))?$`,
);
const COLUMNS = new RegExp(`^(?:${NAME}|"${NAME}")$`);
const SELECT = /^[\w\s*,.:()!>-]*$/;
const CAST = /::\s*([\w\s]*)/g;
const CASTS = new Set(
  "text varchar int int2 int4 int8 smallint integer bigint numeric real float4 float8 bool boolean uuid date time timestamp timestamptz json jsonb".split(
    " ",
  ),
);
// Objects are born with these: a name like them finds something where nothing was put.
const INBORN = /(?<![\w])(?:__\w*__|constructor|prototype)(?![\w])/;

const QUANTIFIED = new Set(["eq", "gt", "gte", "lt", "lte", "like", "ilike"]);
const OPERATORS = new Set(
  "eq neq gt gte lt lte like ilike is isdistinct in cs cd ov sl sr nxl nxr adj fts plfts phfts wfts".split(
    " ",
  ),
);
const OPERATION = /^(?:not\.)?([a-z]+)(?:\(([\w ]{1,40})\))?(?:\.|$)/;
// One pattern on one row can fill a core for minutes. Where filters are combined a value that reads like one is refused too.
const MATCHES = /^\s*(?:not\.)*i?match(?=[.(\s]|$)/i;
const MATCHES_INSIDE = /\.\s*i?match\s*(?=[.(),]|$)/i;

export type RestTarget = "table" | "function";

/** Why this query is not asked, in our words; `undefined` for one that is. */
export function complaintAboutQuery(search: string, target: RestTarget): string | undefined {
  if (search.length > MAX_CHARACTERS) return `A query may have ${MAX_CHARACTERS} characters`;
  const encoding = complaintAboutEncoding(search);
  if (encoding) return encoding;
  const parameters = [...new URLSearchParams(search)];
  if (parameters.length > MAX_PARAMETERS) return `A query may have ${MAX_PARAMETERS} parameters`;
  for (const [key, value] of parameters) {
    const complaint = complaintAboutParameter(key, value, target);
    if (complaint) return complaint;
  }
  return undefined;
}

/** What PostgreSQL cannot keep, and what decoders read differently. */
export function complaintAboutEncoding(search: string): string | undefined {
  try {
    return decodeURIComponent(search).includes("\0") ? "A query cannot hold a null character" : undefined;
  } catch {
    return "The query is not percent-encoded UTF-8";
  }
}

function complaintAboutParameter(key: string, value: string, target: RestTarget): string | undefined {
  if (key === "apikey") return undefined;
  const setting = /^(?:[a-z_][a-z0-9_]{0,62}\.){0,5}(order|limit|offset)$/.exec(key)?.[1] ?? key;
  if (Object.hasOwn(SETTINGS, setting)) return SETTINGS[setting]?.(value);
  if (!FILTERED.test(key) || INBORN.test(key)) return "A filter names a column that cannot be";
  return LOGIC.test(key) ? complaintAboutLogic(value) : complaintAboutFilter(value, target);
}

const SETTINGS: Record<string, (value: string) => string | undefined> = {
  select: complaintAboutSelect,
  order: (value) =>
    isListOf(ORDER, value) ? undefined : "`order` is a list of columns, each with its direction",
  limit: complaintAboutNumber,
  offset: complaintAboutNumber,
  columns: (value) => (isListOf(COLUMNS, value) ? undefined : "`columns` is a list of columns"),
  on_conflict: (value) => (isListOf(COLUMNS, value) ? undefined : "`on_conflict` is a list of columns"),
};

function complaintAboutSelect(value: string): string | undefined {
  if (!SELECT.test(value) || INBORN.test(value)) return "`select` is a list of columns";
  if (value.split(",").length > MAX_ITEMS) return `\`select\` may list ${MAX_ITEMS} columns`;
  const depth = depthOf(value);
  if (depth === undefined || depth > MAX_DEPTH) return "The parentheses in `select` do not fit together";
  const casts = [...value.matchAll(CAST)].map(([, type = ""]) => type.trim());
  return casts.every((type) => CASTS.has(type)) ? undefined : "`select` asks for a type that is not offered";
}

function complaintAboutNumber(value: string): string | undefined {
  return /^\d{1,9}$/.test(value) ? undefined : "`limit` and `offset` are whole numbers";
}

function complaintAboutFilter(value: string, target: RestTarget): string | undefined {
  const [, operator = "", modifier] = OPERATION.exec(value) ?? [];
  if (MATCHES.test(value)) return NO_REGULAR_EXPRESSIONS;
  if (!OPERATORS.has(operator) || (modifier !== undefined && !takesModifier(operator, modifier))) {
    // What is no operation is a function's argument.
    return target === "function" ? undefined : "A filter is an operator, a dot and a value";
  }
  return value.split(",").length > MAX_ITEMS ? `A filter may list ${MAX_ITEMS} values` : undefined;
}

const NO_REGULAR_EXPRESSIONS = "Regular expressions are not offered; `like` and `ilike` are";

function takesModifier(operator: string, modifier: string): boolean {
  return operator.endsWith("fts") || (QUANTIFIED.has(operator) && /^(?:any|all)$/.test(modifier));
}

function complaintAboutLogic(value: string): string | undefined {
  if (MATCHES_INSIDE.test(value)) return NO_REGULAR_EXPRESSIONS;
  if (!value.startsWith("(") || !value.endsWith(")")) return "Combined filters stand in parentheses";
  if (/(?:^|[(,])\s*(?:not\.)?"?(?:__\w*__|constructor|prototype)/.test(value)) {
    return "A filter names a column that cannot be";
  }
  const depth = depthOf(value);
  if (depth === undefined) return "The parentheses of combined filters do not fit together";
  if (depth > MAX_DEPTH || value.split(",").length > MAX_ITEMS) return "Filters are combined too deeply";
  return undefined;
}

/** How deep parentheses nest, quoted ones aside; `undefined` where they do not fit together. */
function depthOf(text: string): number | undefined {
  let depth = 0;
  let deepest = 0;
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth < 0) return undefined;
    deepest = Math.max(deepest, depth);
  }
  return depth === 0 && !isQuoted ? deepest : undefined;
}

function isListOf(item: RegExp, value: string): boolean {
  const items = value.split(",");
  return items.length <= MAX_ITEMS && items.every((text) => item.test(text)) && !INBORN.test(value);
}
