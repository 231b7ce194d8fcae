// Generates requests to the data API: valid ones of the whole grammar, mutated ones and hostile ones.
import type { Catalogue, Relation, Routine } from "#backend/rest/catalogue.ts";
import type { Random } from "../seeded.ts";
import { createDice, type Dice } from "./dice.ts";
import { createGrammar } from "./grammar.ts";
import { DIGITS, WORD } from "./values.ts";

export type GeneratedQuestion = {
  method: string;
  /** The path after `/rest/v1/`, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export function createQuestions(catalogue: Catalogue, random: Random): () => GeneratedQuestion {
  const dice = createDice(random);
  const { isChosen, pick, some, several } = dice;
  const { columnOf, parametersOf, rowOf, textFor } = createGrammar(dice);
  const { bent, headersOf, queryOf } = createSpelling(dice);
  const relations = [...catalogue.relations];
  const routines = [...catalogue.routines];

  const toRelation = (name: string, relation: Relation): GeneratedQuestion => {
    const method = pick(["GET", "GET", "GET", "HEAD", "POST", "PATCH", "DELETE"]);
    const question = { method, path: name + queryOf(parametersOf(relation, method)), headers: headersOf() };
    if (method !== "POST" && method !== "PATCH") return question;
    const columns = some(4, () => columnOf(relation));
    const row = rowOf(columns);
    const rows = () => `[${several(3, () => (isChosen(0.7) ? row : rowOf(columns))).join(",")}]`;
    return { ...question, body: bent(method === "POST" && isChosen(0.3) ? rows() : row) };
  };
  const toRoutine = (name: string, routine: Routine): GeneratedQuestion => {
    const method = pick(["GET", "HEAD", "POST", "POST"]);
    const named = [...routine.parameters.values()].filter(() => isChosen(0.8));
    const args = named.map((one): [string, string] => [one.name, textFor(one.type)]);
    const headers = headersOf();
    if (method !== "POST") return { method, path: `rpc/${name}${queryOf(args)}`, headers };
    return { method, path: `rpc/${name}`, headers, body: bent(rowOf(named)) };
  };
  return () => {
    const isCall = routines.length > 0 && isChosen(0.15);
    const [name, made] = isCall ? pick(routines) : pick(relations);
    const asked = isChosen(0.02) ? WORD : name;
    return isCall ? toRoutine(asked, made as Routine) : toRelation(asked, made as Relation);
  };
}

const PIECES = [
  ...`"'\\(){}[],.:;*%_-><=&+#?!$@~^|/ \t\n`,
  ..."\0 :: -> ->> __proto__ not. and( %00 %ff".split(" "),
  "(".repeat(1_000),
];

const PREFERENCES = [
  ..."return=representation return=minimal return=headers-only count=exact count=planned count=estimated".split(
    " ",
  ),
  ..."resolution=merge-duplicates resolution=ignore-duplicates missing=default missing=null".split(" "),
];

/** Encodes a request in several ways, and sometimes mutates it. */
function createSpelling({ below, isChosen, pick, some }: Dice) {
  /** Sometimes inserts, removes or duplicates a piece. */
  const bent = (text: string): string => {
    if (!isChosen(0.1)) return text;
    const at = below(text.length + 1);
    const to = at + below(6);
    const middle = pick([pick(PIECES), WORD, "", text.slice(at, to).repeat(2)]);
    return text.slice(0, at) + middle + text.slice(isChosen(0.5) ? at : to);
  };
  const encoded = (text: string): string => {
    if (isChosen(0.05))
      return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    if (isChosen(0.03)) return text.toWellFormed().replaceAll(/[#&\s]/g, "");
    return encodeURIComponent(text.toWellFormed());
  };
  return {
    bent,
    queryOf: (parameters: [string, string][]): string => {
      const repeated = parameters.length > 0 && isChosen(0.05) ? [pick(parameters)] : [];
      const parts = [...parameters, ...repeated].map(
        ([name, value]) => `${encoded(isChosen(0.3) ? bent(name) : name)}=${encoded(bent(value))}`,
      );
      return parts.length > 0 ? `?${parts.join("&")}` : "";
    },
    headersOf: (): Record<string, string> => {
      const prefer = [...some(3, () => pick(PREFERENCES)), ...(isChosen(0.05) ? [`${WORD}=${WORD}`] : [])];
      return {
        ...(isChosen(0.4) && prefer.length > 0 ? { prefer: prefer.join(", ") } : {}),
        ...(isChosen(0.15)
          ? { accept: pick(["application/vnd.pgrst.object+json", "*/*", `text/${WORD}`]) }
          : {}),
        ...(isChosen(0.05) ? { range: pick(["0-1", `${DIGITS}-`, `0-${DIGITS}`, WORD]) } : {}),
        ...(isChosen(0.03) ? { "accept-profile": pick(["public", WORD]), "x-retry-count": WORD } : {}),
      };
    },
  };
}
