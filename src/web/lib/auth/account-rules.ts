/** Longer than any real one; the database refuses more. */
const FULL_NAME_MAX_LENGTH = 200;
const EMAIL_MAX_LENGTH = 254;
/** bcrypt reads no further. */
const PASSWORD_MAX_BYTES = 72;

export type EmailFault = "emailRequired" | "emailInvalid" | "emailTooLong";
export type PasswordFault = "passwordRequired" | "passwordTooLong";
export type FullNameFault = "fullNameRequired" | "fullNameTooLong";

// Only what is surely a slip is refused: international addresses are the server's to judge.
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export function emailFaultOf(email: string): EmailFault | null {
  if (email === "") return "emailRequired";
  if (email.length > EMAIL_MAX_LENGTH) return "emailTooLong";
  return EMAIL.test(email) ? null : "emailInvalid";
}

export function fullNameFaultOf(fullName: string): FullNameFault | null {
  if (fullName === "") return "fullNameRequired";
  return fullName.length > FULL_NAME_MAX_LENGTH ? "fullNameTooLong" : null;
}

/** Whether a password is good enough is the server's to say; whether there is one, and all of it counts, is said here. */
export function passwordFaultOf(password: string): PasswordFault | null {
  if (password === "") return "passwordRequired";
  return new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES ? "passwordTooLong" : null;
}
