import type { ProfileAnswers } from "../find-settings.ts";

/** As long as the database lets a part of it be, in characters. */
export const LONGEST_PART = 300;

export const PROFILE_PARTS = ["who", "job", "movingFrom", "about"] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

export interface ProfileForm {
  readonly typed: ProfileAnswers;
  /** What is saved, as far as the form knows. */
  readonly base: ProfileAnswers;
  /** What another device saved in a part that the person was changing too. */
  readonly elsewhere: Partial<ProfileAnswers>;
}

export function formOf(saved: ProfileAnswers): ProfileForm {
  return { typed: saved, base: saved, elsewhere: {} };
}

/** What is saved elsewhere shows at once where nothing was typed, and is asked about where something was. */
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

/** The answer to what was saved elsewhere: its text, or the person's own, which the next save writes. */
export function settled(form: ProfileForm, part: ProfilePart, answer: "mine" | "theirs"): ProfileForm {
  const { [part]: theirs = form.typed[part], ...elsewhere } = form.elsewhere;
  return { ...form, typed: answer === "theirs" ? { ...form.typed, [part]: theirs } : form.typed, elsewhere };
}

/** What a save has to write: only the parts that were changed. */
export function changedAnswers({ typed, base }: ProfileForm): Partial<ProfileAnswers> {
  const changed = PROFILE_PARTS.filter((part) => tidy(typed[part]) !== base[part]);
  return Object.fromEntries(changed.map((part) => [part, tidy(typed[part])]));
}

/** Counted as the database counts. */
export function lengthOf(text: string): number {
  return [...tidy(text)].length;
}

function tidy(text: string): string {
  return text.trim();
}
