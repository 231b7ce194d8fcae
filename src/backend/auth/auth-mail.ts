// Between the auth service, which knows no languages, and whoever writes our mails: what a mail is about, and for whom.
import { AsyncLocalStorage } from "node:async_hooks";

type AuthMail = {
  kind: "recovery" | "confirmation";
  to: string;
  /** Opens the account once: it must reach nothing but the mail. */
  tokenHash: string;
  /** Where the page that asked for the mail wants its reader to come back to; one of the listed addresses. */
  redirectTo: string | undefined;
  /** What the person said of themselves: not to be trusted. */
  metadata: Record<string, unknown>;
};

export type SendAuthMail = (mail: AuthMail) => Promise<void>;

type MailRequest = { redirectTo: string | undefined };

const requests = new AsyncLocalStorage<MailRequest>();

/** Runs what may send a mail, so that the mail knows which page asked for it. */
export function withMailRequest<T>(request: MailRequest, act: () => Promise<T>): Promise<T> {
  return requests.run(request, act);
}

/** Turns what the auth service sends (the kind as subject, the token's hash as body) into an AuthMail. */
export function mailDriver(options: {
  send: SendAuthMail;
  metadataOf: (email: string) => Promise<Record<string, unknown>>;
}) {
  return async ({ to, subject, html }: { to: string; subject: string; html?: string }): Promise<void> => {
    if (subject !== "recovery" && subject !== "confirmation")
      throw new Error(`There is no mail for ${subject}`);
    const tokenHash = html?.trim() ?? "";
    if (!/^[\da-f]{64}$/.test(tokenHash)) throw new Error("The auth service sent no token hash");
    await options.send({
      kind: subject,
      to,
      tokenHash,
      redirectTo: requests.getStore()?.redirectTo,
      metadata: await options.metadataOf(to),
    });
  };
}
