/** Of mails, those of sign-ups: every account that a test makes by an address gets one. */
export const isSignUpMail = ({ text }: { text: string }): boolean => text.includes("&type=signup");

export const withoutSignUps = <Mail extends { text: string }>(mails: readonly Mail[]): Mail[] =>
  mails.filter((mail) => !isSignUpMail(mail));
