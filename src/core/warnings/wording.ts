import type { Listing, Wording } from "../listing/listing.ts";
import { storedWords } from "../rules/words-in.ts";
import { type FoldedText, foldText } from "./fold-text.ts";
import type { Warning } from "./warning.ts";
import { WORD_RULES, type WordRule } from "./word-rules.ts";

/** What the text of an advert says. A stored listing has no text any more, so what was read then is stored with it. */
export function wordingOf(listing: Listing): Wording {
  return (
    listing.wording ?? {
      warnings: wordWarnings(listing),
      textKey: textKeyOf(listing),
      words: listing.description === null ? null : storedWords(listing.description),
    }
  );
}

function wordWarnings(listing: Listing): Warning[] {
  const text = [listing.title, listing.description].filter((part) => part !== null).join(".\n");
  if (text === "") return [];
  const read = foldText(text);
  return WORD_RULES.flatMap((rule) => {
    const words = rule.appliesTo(listing) ? wordsSeen(read, rule) : undefined;
    return words === undefined ? [] : [{ kind: rule.kind, words }];
  });
}

/** The words in the advert that match the rule, as written; undefined if none do, or if the advert negates them. */
function wordsSeen(read: FoldedText, rule: WordRule): string | undefined {
  const folded = rule.unless.reduce(withoutMatches, read.folded);
  const found = rule.says
    .flatMap((pattern) => [...folded.matchAll(pattern)])
    .filter((match) => !isDenied(folded, match.index, match.index + match[0].length))
    .toSorted((one, other) => one.index - other.index)[0];
  return found && quoted(read, found.index, found.index + found[0].length);
}

/** Keeps the length, so that later matches can be quoted from the original. */
function withoutMatches(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => "_".repeat(match.length));
}

function quoted({ original }: FoldedText, start: number, end: number): string {
  return original.slice(start, end).replace(/\s+/g, " ").trim();
}

/** A negation ends with its clause, or before a word that introduces a reason. */
const CLAUSE_END =
  /[.;!?\n,()¡¿•|*]|(?<!\p{L})(?:pero|porque|por estar|por encontrarse|por ser|debido|ya que|aunque|sino|but|because|although|since|due|as it|perque|ja que|per estar|encara que|solo|nomes|only|just)(?!\p{L})/gu;
/** "No se pide ninguna …" negates up to six words, "sin …" only the next two. */
const DENIED_BEFORE =
  /(?<!\p{L})(?:(?:no|not|ni|nor|nunca|jamas|never|mai|tampoco|tampoc|isn't|aren't|don't|doesn't|won't|cannot|abstenerse|evite|eviten|evita|desconfie|desconfia|ojo con)(?:[ :"«“]+[\p{L}'·]+){0,6}|(?:sin|sense|without|libre de|libres de|lliure de|lliure d'|free of|free from|nada de|res de|cap|ningun|ninguna|any|cero|zero|contra|against)(?:[ :"«“]+[\p{L}'·]+){0,2})[ :"«“]*$/u;
const DENIED_AFTER =
  /^ ?[?:=–-]? ?(?:(?:no|not|nope|never)(?= ?(?:$|[.,;!?)\n]))|(?:no|not|ni) (?:se |es |is |are )?(?:admit|acept|permit|perm|dispon|gracias|interes|posib|allowed|possible|accept|avail|offered|considered|alquil|lloga|admet)|(?:excluid|descartad|abstener|prohibid|exclos))/u;

function isDenied(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const clause = before.slice([...before.matchAll(CLAUSE_END)].at(-1)?.index ?? 0).replace(CLAUSE_END, "");
  return DENIED_BEFORE.test(clause) || DENIED_AFTER.test(text.slice(end, end + 40));
}

type Described = Pick<Listing, "description" | "municipality" | "district" | "neighborhood">;

/** Shorter texts are equal by chance. */
const FEWEST_LETTERS = 120;

/** Equal for the same description under other codes, prices and place names; null if the text is too short. */
export function textKeyOf(listing: Described): string | null {
  if (listing.description === null) return null;
  const names = [listing.municipality, listing.district, listing.neighborhood]
    .flatMap((name) => (name === null ? [] : lettersOf(name)))
    .filter((name) => name.length > 2);
  let text = ` ${lettersOf(listing.description)} `;
  // A copied text usually has another town filled in.
  for (const name of names) text = text.replaceAll(` ${name} `, " ");
  return text.replaceAll(" ", "").length < FEWEST_LETTERS ? null : fingerprintOf(text.trim());
}

function lettersOf(text: string): string {
  return foldText(text)
    .folded.replace(/[^\p{L}]+/gu, " ")
    .trim();
}

/** Two 32-bit hashes (FNV-1a with two seeds): no collision is expected among a million texts. */
function fingerprintOf(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hashOf(text, start).toString(16).padStart(8, "0")).join("");
}

function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
