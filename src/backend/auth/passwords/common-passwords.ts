import { dictionary } from "@zxcvbn-ts/language-common";

const MIN_PASSWORD_CHARACTERS = 6;

// The 49,000 most common passwords in leaks. The list has no passwords that follow a pattern, so those are checked
// separately.
const COMMON = new Set(dictionary["passwords-common"].map((password) => password.toLowerCase()));
const KEYS_IN_A_ROW = [
  "01234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
];
const REPEATED = /^([!-~]{1,4})\1+$/;
const TWO_CHARACTERS = /^([!-~])\1*([!-~])(\1|\2)*$/;
/** Longer repetitions are not typed for convenience. */
const LONGEST_PATTERN = 16;

/** Refuses a new password that is short, common or part of its address; in GoTrue's format. */
export function refuseWeakPassword(password: string, email: string): Response | undefined {
  if ([...password].length < MIN_PASSWORD_CHARACTERS) {
    return weakPassword("length", "Password should be at least 6 characters.");
  }
  const plain = password.trim().toLowerCase();
  if (isOfAddress(plain, email)) {
    return weakPassword("email", "Password must not be the email address or a part of it.");
  }
  return isCommon(plain)
    ? weakPassword("common", "Password is among the most common ones and easy to guess.")
    : undefined;
}

function isOfAddress(password: string, email: string): boolean {
  const [name = ""] = email.split("@");
  const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return [email, name, letters(name)].includes(password);
}

function isCommon(password: string): boolean {
  const backwards = [...password].reverse().join("");
  return (
    COMMON.has(password) ||
    (password.length <= LONGEST_PATTERN && (REPEATED.test(password) || TWO_CHARACTERS.test(password))) ||
    KEYS_IN_A_ROW.some((row) => row.includes(password) || row.includes(backwards))
  );
}

function weakPassword(reason: "length" | "common" | "email", message: string): Response {
  return Response.json(
    { code: 422, error_code: "weak_password", msg: message, weak_password: { reasons: [reason] } },
    { status: 422, headers: { "x-sb-error-code": "weak_password", "cache-control": "no-store" } },
  );
}
