/** The database refuses longer names. */
const FULL_NAME_MAX_LENGTH = 200;
const EMAIL_MAX_LENGTH = 254;
/** bcrypt ignores the bytes after these. */
const PASSWORD_MAX_BYTES = 72;

export type EmailFault = "emailRequired" | "emailInvalid" | "emailTooLong";
export type PasswordFault = "passwordRequired" | "passwordTooLong";
export type FullNameFault = "fullNameRequired" | "fullNameTooLong";

// Refuses only obvious mistakes: the server decides about international addresses.
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

/**
 * The server decides whether a password is strong enough; this checks that there is one and that bcrypt reads all of
 * it.
 */
export function passwordFaultOf(password: string): PasswordFault | null {
  if (password === "") return "passwordRequired";
  return new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES ? "passwordTooLong" : null;
}
