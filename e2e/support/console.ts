import { expect } from "@playwright/test";
import { isSignUpMail } from "#test/sign-in/sign-up-mails.ts";

export const consoleUrl = `http://localhost:${Number(process.env.E2E_PORT || 3900) + 1}`;

interface Mail {
  to: string[];
  subject: string;
  text: string;
}

/** Waits for the newest mail to an address, other than that of its sign-up. */
export const mailTo = (email: string, since = 0): Promise<Mail> =>
  newestMail(email, (mail) => !isSignUpMail(mail), since);

export const signUpMailTo = (email: string, since = 0): Promise<Mail> =>
  newestMail(email, isSignUpMail, since);

async function newestMail(email: string, isMeant: (mail: Mail) => boolean, since: number): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(async () => {
      const mails = (await (await fetch(`${consoleUrl}/api/mail`)).json()) as Mail[];
      const theirs = mails.filter((mail) => mail.to.includes(email) && isMeant(mail));
      found = theirs.length > since ? theirs[0] : undefined;
      return found !== undefined;
    })
    .toBe(true);
  if (!found) throw new Error(`No mail arrived for ${email}`);
  return found;
}

/** The link in a mail that leads to the product. */
export function linkIn({ text }: Mail): string {
  const link = /https?:\/\/\S+#token_hash=\S+/.exec(text)?.[0];
  if (!link) throw new Error(`No link in: ${text}`);
  return link;
}

export async function addGooglePerson(person: {
  email: string;
  name: string;
  isVerified: boolean;
}): Promise<void> {
  const answer = await fetch(`${consoleUrl}/api/google/people`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Controls a simulator through the console. */
export async function postToConsole<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${consoleUrl}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
