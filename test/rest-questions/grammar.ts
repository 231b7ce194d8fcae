// Generates queries of the data API's grammar, and some that are almost valid.
import type { Column, Relation } from "#backend/rest/catalogue.ts";
import type { Dice } from "./dice.ts";
import { createValues, DIGITS } from "./values.ts";

const words = (text: string) => text.split(" ");
const OPERATORS = words("eq neq gt gte lt lte like ilike is in cs");
const ODD_OPERATORS = words(
  "match imatch fts plfts cd ov sl sr nxl nxr adj isdistinct eq(any) like(all) not constructor",
);
const LOGIC = words("and or not.and not.or");
// Deeper than allowed.
const MAX_DEPTH = 14;

export function createGrammar(dice: Dice) {
  const { isChosen, pick, some, several } = dice;
  const { word, textFor, rowOf } = createValues(dice);
  const quoted = (text: string) => (isChosen(0.2) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text);
  const columnOf = ({ columns }: Relation): Column => pick([...columns.values()]);
  const nameOf = (relation: Relation) => (isChosen(0.03) ? word() : quoted(columnOf(relation).name));
  const stepOf = () => pick(["->", "->", "->>"]) + pick([word(), `"${word()}"`, DIGITS, `-${DIGITS}`]);
  const fieldOf = (relation: Relation) =>
    nameOf(relation) + (isChosen(0.2) ? several(3, stepOf).join("") : "");
  /** Mostly a column with its own type, so that most values are valid. */
  const filteredField = (relation: Relation): { name: string; type: string } =>
    isChosen(0.7) ? columnOf(relation) : { name: fieldOf(relation), type: columnOf(relation).type };

  const operation = (type: string, isListed: boolean): string => {
    const operator = pick(isChosen(0.05) ? ODD_OPERATORS : OPERATORS);
    const not = isChosen(0.2) ? "not." : "";
    const value = () => textFor(type);
    if (operator === "is") return `${not}is.${pick(["null", "true", "not_null", "UNKNOWN", word()])}`;
    if (operator === "in") return `${not}in.(${some(5, () => quoted(value())).join(",")})`;
    return `${not}${operator}.${isListed ? quoted(value()) : value()}`;
  };
  const tree = (relation: Relation, depth = 0): string => {
    if (isChosen(0.3) && depth < MAX_DEPTH)
      return `${pick(LOGIC)}(${several(3, () => tree(relation, depth + 1)).join(",")})`;
    const { name, type } = filteredField(relation);
    return `${name}.${operation(type, true)}`;
  };

  const filter = (relation: Relation): [string, string] => {
    if (isChosen(0.2)) return [pick(LOGIC), `(${several(4, () => tree(relation)).join(",")})`];
    const { name, type } = filteredField(relation);
    return [name, operation(type, false)];
  };
  const select = (relation: Relation) =>
    ["*", ...several(6, () => (isChosen(0.4) ? `${quoted(word())}:` : "") + fieldOf(relation))]
      .slice(isChosen(0.5) ? 1 : 0)
      .join(",");
  const order = (relation: Relation) =>
    several(
      3,
      () => fieldOf(relation) + pick(["", ".asc", ".desc"]) + pick(["", ".nullsfirst", ".nullslast"]),
    ).join(",");
  const names = (relation: Relation) => several(4, () => nameOf(relation)).join(",");

  const settingsOf = (relation: Relation, method: string): [string, string][] => {
    const isPost = method === "POST";
    const possible: [number, string, () => string][] = [
      [0.6, "select", () => select(relation)],
      [0.3, "order", () => order(relation)],
      [method === "GET" ? 0.3 : 0.01, "limit", () => pick([DIGITS, "5", "0"])],
      [method === "GET" ? 0.3 : 0.01, "offset", () => pick([DIGITS, "0"])],
      [isPost ? 0.3 : 0.01, "columns", () => names(relation)],
      [isPost ? 0.3 : 0.01, "on_conflict", () => names(relation)],
    ];
    return possible
      .filter(([probability]) => isChosen(probability))
      .map(([, name, make]): [string, string] => [name, make()]);
  };
  return {
    word,
    textFor,
    rowOf,
    columnOf,
    parametersOf: (relation: Relation, method: string): [string, string][] => [
      ...settingsOf(relation, method),
      ...(method === "POST" ? [] : some(3, () => filter(relation))),
    ],
  };
}
