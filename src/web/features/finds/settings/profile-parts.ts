import type { ProfileAnswers } from "../find-settings.ts";

/** The database refuses longer answers. In characters. */
export const LONGEST_PART = 300;

export const PROFILE_PARTS = ["who", "job", "movingFrom", "about"] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

const COLUMNS = { who: "who", job: "job", movingFrom: "moving_from", about: "about" } as const;

/** The answers that the person has changed, with what they were, by column. */
export function changedAnswers(before: ProfileAnswers, typed: ProfileAnswers) {
  const changed = PROFILE_PARTS.filter((part) => typed[part].trim() !== before[part]);
  const columnsOf = (answers: ProfileAnswers) =>
    Object.fromEntries(changed.map((part) => [COLUMNS[part], answers[part].trim() || null]));
  return { before: columnsOf(before), mine: columnsOf(typed) };
}

/** Counts characters like the database. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}
