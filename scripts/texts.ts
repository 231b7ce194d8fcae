/** Prints every text with placeholders, composed with awkward values, so that a reader can page through them: `npm run texts -- fr | less`. */
import { LANGUAGES } from "#core/languages.ts";
import { composedTexts } from "#test/texts/composed-texts.ts";

const asked = process.argv.slice(2);
const unknown = asked.find((one) => !LANGUAGES.some((language) => language === one));
if (unknown !== undefined) {
  process.stderr.write(`Unknown language: ${unknown}. Known: ${LANGUAGES.join(", ")}\n`);
  process.exitCode = 1;
} else {
  const lines = composedTexts()
    .filter(({ language }) => asked.length === 0 || asked.includes(language))
    .map(({ language, key, text }) => `${language} ${key}\n    ${text.replaceAll("\n", "\n    ")}\n`);
  // Whoever pages through them may leave early.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  process.stdout.write(lines.join(""));
}
