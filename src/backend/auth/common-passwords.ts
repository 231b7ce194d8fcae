import { dictionary } from "@zxcvbn-ts/language-common";

/** Shorter ones the auth service refuses for their length, whatever they say. */
const SHORTEST_JUDGED = 6;

// The 49,000 most common, by leaks. The list leaves out what follows a pattern, which is why patterns are looked at too.
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
/** Nobody's fingers repeat a pattern longer than this for convenience. */
const LONGEST_PATTERN = 16;

/** Refuses a new password that half the world uses, or that stands in the address it is for; in GoTrue's shape. */
export function refuseWeakPassword(password: string, email: string | undefined): Response | undefined {
  const plain = password.trim().toLowerCase();
  if (plain.length < SHORTEST_JUDGED) return undefined;
  if (email !== undefined && isOfAddress(plain, email.toLowerCase())) {
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

function weakPassword(reason: "common" | "email", message: string): Response {
  return Response.json(
    { code: 422, error_code: "weak_password", msg: message, weak_password: { reasons: [reason] } },
    { status: 422, headers: { "x-sb-error-code": "weak_password", "cache-control": "no-store" } },
  );
}
