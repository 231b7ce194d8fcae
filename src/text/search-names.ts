/** Names of a person's searches. Pages, chats and alerts name a search by this function. */
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch, nameSearch } from "./describe-search.ts";
import type { Words } from "./namespaces.ts";

export interface SearchToName {
  readonly id: string;
  /** Given by the person. Null: the search is called by its place. */
  readonly name: string | null;
  readonly url: string;
}

export interface SearchName {
  /** "Chamberí, up to €1,500, lift" */
  readonly full: string;
  /** What tells it from the others of its place, "up to €1,500, lift"; the full name if nothing does. For buttons. */
  readonly short: string;
}

/** More would be the whole sentence. */
const SAID_AT_MOST = 3;

/**
 * Its own name or its place. If another of the person's searches would have the same name, also what differs. Undefined if
 * it has no name and its URL is no longer a search.
 */
export function searchNameAmong(
  search: SearchToName,
  all: readonly SearchToName[],
  words: Words<"search">,
): SearchName | undefined {
  const name = plainNameOf(search, words);
  if (name === undefined) return undefined;
  if (search.name !== null) return { full: name, short: name };
  const others = all.filter(({ id }) => id !== search.id);
  const named = others.map((other) => ({ other, name: plainNameOf(other, words) }));
  const rivals = named.filter((one) => isSameName(one.name, name)).map(({ other }) => other);
  if (rivals.length === 0) return { full: name, short: name };
  const place = shortPlace(name, named);
  const { text, isOwn } = differenceOf(search, rivals, words);
  const full = `${place}, ${text}`;
  // "All" alone would be all searches.
  return { full, short: isOwn ? text : full };
}

function plainNameOf({ name, url }: SearchToName, words: Words<"search">): string | undefined {
  if (name !== null) return name;
  const parsed = parseSearchUrl(url);
  return parsed.ok ? nameSearch(parsed.search, words) : undefined;
}

function isSameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** "Chamberí" of "Chamberí, Madrid", unless a search of another Chamberí needs the town. */
function shortPlace(name: string, named: readonly { readonly name: string | undefined }[]): string {
  const [first = name] = name.split(", ");
  const isTaken = named.some((one) => one.name?.split(", ")[0] === first && !isSameName(one.name, name));
  return isTaken ? name : first;
}

function differenceOf(
  search: SearchToName,
  rivals: readonly SearchToName[],
  words: Words<"search">,
): { text: string; isOwn: boolean } {
  const own = chipsOf(search, words);
  const theirs = rivals.map((rival) => chipsOf(rival, words));
  const told = own.filter((chip) => theirs.some((chips) => !chips.includes(chip)));
  const difference = fewestThatDiffer(told, theirs);
  const isOwn = difference.length > 0;
  const text = isOwn ? difference.join(", ") : words.t("nameAll");
  const twins = rivals.filter((_, at) => own.join() === theirs[at]?.join());
  if (twins.length === 0) return { text, isOwn };
  // The same search twice: nothing but the order tells them apart.
  const place = [search, ...twins].toSorted((a, b) => (a.id < b.id ? -1 : 1)).indexOf(search);
  return { text: place === 0 ? text : `${text} (${place + 1})`, isOwn };
}

/** The first ones, and more of them until no other search says the same. */
function fewestThatDiffer(
  told: readonly string[],
  theirs: readonly (readonly string[])[],
): readonly string[] {
  for (let count = Math.min(SAID_AT_MOST, told.length); count < told.length; count += 1) {
    const said = told.slice(0, count);
    if (theirs.every((chips) => said.some((chip) => !chips.includes(chip)))) return said;
  }
  return told;
}

function chipsOf({ url }: SearchToName, words: Words<"search">): readonly string[] {
  const parsed = parseSearchUrl(url);
  if (!parsed.ok) return [url];
  const { chips } = describeSearch(parsed.search, words);
  return chips
    .filter(({ part }) => part !== "where")
    .map(({ part, text }) => (part === "operation" || part === "kind" ? lowerFirst(text, words) : text));
}

/** German keeps the capital of its nouns. */
function lowerFirst(text: string, { language }: Words<"search">): string {
  return language === "de" ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
