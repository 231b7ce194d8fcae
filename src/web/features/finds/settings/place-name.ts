// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;
/** Marks that turn the direction of what follows, and characters that show nothing. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u115f\u1160\u2800\u3164]/g;

/** A name as typed, in one line without what nobody sees. */
export function tidyName(typed: string): string {
  return typed.replace(UNSEEN, "").replace(BREAKS, " ").trim();
}
