import type { MailTexts } from "./mail-texts.ts";

export type AuthMailKind = "recovery" | "confirmation";

/** Where the link of a mail leads: what opens the account stands in the fragment, which no server and no log sees. */
export const linkPath = { recovery: "/reset-password", confirmation: "/" } satisfies Record<
  AuthMailKind,
  string
>;
export const linkType = { recovery: "recovery", confirmation: "signup" } satisfies Record<
  AuthMailKind,
  string
>;

export function textsOf(kind: AuthMailKind, texts: MailTexts) {
  return { ...texts.common, ...(kind === "recovery" ? texts.reset : texts.confirmation) };
}
