import type { ProfileAnswers } from "../find-settings.ts";

/** The database refuses longer answers. In characters. */
export const LONGEST_PART = 300;

export const PROFILE_PARTS = ["who", "job", "movingFrom", "about"] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

export interface ProfileForm {
  readonly typed: ProfileAnswers;
  /** What is saved, as far as the form knows. */
  readonly base: ProfileAnswers;
  /** Answers that another device saved while the person was changing them here. */
  readonly elsewhere: Partial<ProfileAnswers>;
}

export function formOf(saved: ProfileAnswers): ProfileForm {
  return { typed: saved, base: saved, elsewhere: {} };
}

/** An answer saved elsewhere is shown at once if the person has not changed it, otherwise the person is asked. */
export function followSaved(form: ProfileForm, saved: ProfileAnswers): ProfileForm {
  const typed = { ...form.typed };
  const elsewhere = { ...form.elsewhere };
  for (const part of PROFILE_PARTS) {
    if (saved[part] === form.base[part]) continue;
    const mine = tidy(form.typed[part]);
    if (mine === form.base[part]) typed[part] = saved[part];
    else if (mine !== saved[part]) elsewhere[part] = saved[part];
  }
  return { typed, base: saved, elsewhere };
}

/** Resolves a conflict: takes the answer saved elsewhere, or keeps the person's own for the next save. */
export function resolveConflict(
  form: ProfileForm,
  part: ProfilePart,
  answer: "mine" | "theirs",
): ProfileForm {
  const { [part]: theirs = form.typed[part], ...elsewhere } = form.elsewhere;
  return { ...form, typed: answer === "theirs" ? { ...form.typed, [part]: theirs } : form.typed, elsewhere };
}

/** The changed answers, which a save writes. */
export function changedAnswers({ typed, base }: ProfileForm): Partial<ProfileAnswers> {
  const changed = PROFILE_PARTS.filter((part) => tidy(typed[part]) !== base[part]);
  return Object.fromEntries(changed.map((part) => [part, tidy(typed[part])]));
}

/** Counts characters like the database. */
export function lengthOf(text: string): number {
  return [...tidy(text)].length;
}

function tidy(text: string): string {
  return text.trim();
}
