/** What a button under a message says when it is pressed. Telegram takes 64 bytes and lets anyone forge them. */

export type ButtonPress =
  | { readonly act: "hide" | "keep"; readonly propertyCode: string }
  | { readonly act: "mute" }
  /** What a chat says of a person whose alerts come, or want to come. */
  | { readonly act: PersonAct; readonly userId: string };

/** May this person's alerts come here? And where they come already: is this person you? */
type PersonAct = "yes" | "no" | "me" | "not-me";

const PERSON_LETTERS: Readonly<Record<PersonAct, string>> = { yes: "y", no: "n", me: "t", "not-me": "x" };

const PROPERTY_CODE = /^[\w-]{1,62}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const PACKED_UUID = /^[\w-]{22}$/;

/** Undefined where the id does not fit a button, which is then left out. */
export function formatCallbackData(press: ButtonPress): string | undefined {
  switch (press.act) {
    case "hide":
    case "keep":
      return PROPERTY_CODE.test(press.propertyCode)
        ? `${press.act === "hide" ? "h" : "k"}:${press.propertyCode}`
        : undefined;
    case "mute":
      return "m";
    case "yes":
    case "no":
    case "me":
    case "not-me":
      return UUID.test(press.userId) ? `${PERSON_LETTERS[press.act]}:${packUuid(press.userId)}` : undefined;
  }
}

/** Undefined for whatever no button of ours says. Whether the presser may do it is not asked here. */
export function parseCallbackData(text: string): ButtonPress | undefined {
  if (text === "m") return { act: "mute" };
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case "h:":
      return PROPERTY_CODE.test(rest) ? { act: "hide", propertyCode: rest } : undefined;
    case "k:":
      return PROPERTY_CODE.test(rest) ? { act: "keep", propertyCode: rest } : undefined;
    case "y:":
      return pressAbout("yes", rest);
    case "n:":
      return pressAbout("no", rest);
    case "t:":
      return pressAbout("me", rest);
    case "x:":
      return pressAbout("not-me", rest);
    default:
      return undefined;
  }
}

function pressAbout(act: PersonAct, packed: string): ButtonPress | undefined {
  const userId = unpackUuid(packed);
  return userId === undefined ? undefined : { act, userId };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** 128 bits in 22 digits of six bits, the last four being zero: base64url without its padding. */
function packUuid(uuid: string): string {
  const bits = BigInt(`0x${uuid.replaceAll("-", "")}`) << 4n;
  return Array.from({ length: 22 }, (_, place) =>
    DIGITS.charAt(Number((bits >> BigInt(6 * (21 - place))) & 63n)),
  ).join("");
}

function unpackUuid(packed: string): string | undefined {
  if (!PACKED_UUID.test(packed)) return undefined;
  const bits = [...packed].reduce((sum, digit) => (sum << 6n) | BigInt(DIGITS.indexOf(digit)), 0n);
  // Another spelling of the same id is no button of ours.
  if ((bits & 15n) !== 0n) return undefined;
  const hex = (bits >> 4n).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
