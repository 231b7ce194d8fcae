/** The database refuses more chats for one filter. */
export const MOST_CHATS = 10;
const MOST_DIGITS = 13;
/** Enough to recognise the entry in an error message. */
const SHOWN_LENGTH = 32;

export type ChatIdFault =
  | "name"
  | "phone"
  | "spaces"
  | "characters"
  | "zero"
  | "too-long"
  | "doubled"
  | "too-many";

export interface ParsedChatIds {
  ids: string[];
  /** The fault of the first invalid entry. */
  fault: { code: ChatIdFault; entry: string } | null;
}

/** Splits by commas, trims, drops empty entries, and checks the form of each id. */
export function parseChatIds(text: string): ParsedChatIds {
  const ids = text
    .split(",")
    .map(tidied)
    .filter((entry) => entry !== "");
  return { ids, fault: faultIn(ids) };
}

export function joinChatIds(ids: readonly string[]): string {
  return ids.join(", ");
}

export function withChatIds(text: string, added: readonly string[]): string {
  const { ids } = parseChatIds(text);
  return joinChatIds([...ids, ...added.filter((id) => !ids.includes(id))]);
}

/** Mine as typed, without what was taken out elsewhere and with what was put in. */
export function mergedChatIds({
  typed,
  before,
  saved,
}: Readonly<Record<"typed" | "before" | "saved", string>>) {
  const [mine, known, theirs] = [typed, before, saved].map((text) => parseChatIds(text).ids) as [
    string[],
    string[],
    string[],
  ];
  const kept = mine.filter((id) => theirs.includes(id) || !known.includes(id));
  const added = theirs.filter((id) => !known.includes(id) && !mine.includes(id));
  return kept.length === mine.length && added.length === 0 ? typed : joinChatIds([...kept, ...added]);
}

export function withoutChatId(text: string, removed: string): string {
  return joinChatIds(parseChatIds(text).ids.filter((id) => id !== removed));
}

/** Phones and word processors replace the minus sign with other dashes, and copying adds invisible characters. */
function tidied(entry: string): string {
  return entry
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .trim()
    .replace(/^[\u2010-\u2015\u2212\ufe63\uff0d]/, "-");
}

function faultIn(ids: readonly string[]): ParsedChatIds["fault"] {
  for (const entry of ids) {
    const code = shapeFaultOf(entry);
    if (code) return { code, entry: shortened(entry) };
  }
  const doubled = ids.find((id, index) => ids.indexOf(id) !== index);
  if (doubled !== undefined) return { code: "doubled", entry: doubled };
  return ids.length > MOST_CHATS ? { code: "too-many", entry: "" } : null;
}

function shapeFaultOf(entry: string): ChatIdFault | null {
  if (/^@|(?:^|\/)t(?:elegram)?\.me(?:\/|$)/i.test(entry)) return "name";
  if (/^(?:\+|00\d|\(\+?\d)[\d\s().-]*$/.test(entry)) return "phone";
  if (/^-?[\d\s]+$/.test(entry) && /\s/.test(entry)) return "spaces";
  if (!/^-?\d+$/.test(entry)) return "characters";
  if (/^-?0/.test(entry)) return "zero";
  return entry.replace("-", "").length > MOST_DIGITS ? "too-long" : null;
}

function shortened(entry: string): string {
  const letters = [...entry.replace(/\p{C}/gu, "")];
  return letters.length > SHOWN_LENGTH ? `${letters.slice(0, SHOWN_LENGTH).join("")}…` : letters.join("");
}
