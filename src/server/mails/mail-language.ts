import { isMailLanguage, type MailLanguage } from "./mail-texts.ts";

/** The language of the page that asked for the mail; else the one the person signed up in; else English. */
export function mailLanguage(mail: {
  redirectTo: string | undefined;
  metadata: Record<string, unknown>;
}): MailLanguage {
  if (mail.redirectTo !== undefined) {
    const [, first] = new URL(mail.redirectTo).pathname.split("/");
    return isMailLanguage(first) ? first : "en";
  }
  return isMailLanguage(mail.metadata.language) ? mail.metadata.language : "en";
}
