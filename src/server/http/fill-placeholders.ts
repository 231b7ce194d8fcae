// A build knows neither its URL nor its operator: placeholders stand for both until the server loads the files.
import { escapeHtml } from "#core/escape-html.ts";
import type { Operator } from "../monitoring/operator-settings.ts";

const OPERATOR_PLACEHOLDERS: Readonly<Record<string, keyof Operator>> = {
  "operator-name.invalid": "name",
  "operator-address.invalid": "address",
  "operator-email.invalid": "email",
  "operator-register.invalid": "register",
  "operator-tax-number.invalid": "taxNumber",
  "data-protection-contact.invalid": "dataProtectionContact",
  "hosting-provider.invalid": "hostingProvider",
  "governing-law.invalid": "governingLaw",
  "backup-days.invalid": "backupDays",
  "map-tiles-host.invalid": "mapTilesHost",
};
const SITE_ORIGIN_PLACEHOLDER = "https://site-origin.invalid";
/** A placeholder may end with the words to show if the setting is missing: `backup-days.invalid[not stated]`. */
const NAMED = new RegExp(
  `(${Object.keys(OPERATOR_PLACEHOLDERS)
    .map((name) => name.replaceAll(".", "\\."))
    .join("|")})(?:\\[([^\\]]*)\\])?`,
  "g",
);

type Filled = {
  text: string;
  /** The operator can change while the file name stays the same. */
  namesOperator: boolean;
};

/** `extension` decides how text is escaped, so that no name can be interpreted as markup or code. */
export function fillPlaceholders(
  text: string,
  { extension, siteUrl, operator }: { extension: string; siteUrl: string; operator: Operator },
): Filled {
  const namesOperator = text.search(NAMED) >= 0;
  const named = namesOperator ? nameOperator(text, operator, extension) : text;
  return { text: named.replaceAll(SITE_ORIGIN_PLACEHOLDER, () => siteUrl), namesOperator };
}

function nameOperator(text: string, operator: Operator, extension: string): string {
  const fill = (part: string, write: (words: string) => string) =>
    part.replace(NAMED, (whole, placeholder: string, otherwise = "–") => {
      const name = OPERATOR_PLACEHOLDERS[placeholder];
      if (name === undefined) return whole;
      const words = operator[name];
      return words === undefined ? otherwise : write(words);
    });
  if (extension === ".html") {
    const parts = text.split(/(<script\b[^>]*>[\s\S]*?<\/script>)/);
    return parts.map((part) => fill(part, part.startsWith("<script") ? inQuotes : escapeHtml)).join("");
  }
  return fill(text, extension === ".xml" ? escapeHtml : inQuotes);
}

/** Safe inside quotes of every kind, in scripts and in JSON. */
const inQuotes = (words: string) =>
  words.replace(/[^\p{L}\p{M}\p{N} .,:;@/()+-]/gu, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
