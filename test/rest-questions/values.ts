// Valid and invalid values that a caller may send. Each contains the canary, so that searching for it shows whether any
// value became part of SQL.
import type { Named } from "#backend/rest/catalogue.ts";
import type { Dice } from "./dice.ts";

export const WORD = "zqcanary";
export const DIGITS = "90741852";
/** Does not occur in SQL, the catalogue or our own answers. */
export const CANARY = /zqcanary|907418/i;

const HOSTILE = [
  `${WORD}'); drop table ${WORD}; --`,
  `{"type":"query","from":"${WORD}","select":[{"x":{"column":"id","aggregate":"(select '${WORD}')||max"}}]}`,
  `{"${WORD}":{"$eq":1}}`,
  `{"toString":"${WORD}"}`,
  `"${WORD}" or "${WORD}`,
  `\\"${WORD}\\\\`,
  `$1::${WORD}`,
  `$$${WORD}$$`,
  `E'\\x41${WORD}'`,
  `U&"\\0061${WORD}"`,
  `/*${WORD}*/`,
  `${WORD}\n;select '${WORD}'`,
  `(select '${WORD}' from pg_sleep(1))`,
  `é🏮${WORD}\u202e\ufeff\u00a0`,
  `\ufdfa${WORD}ﬃ`,
  `{${WORD},"${WORD}\\"",{}}`,
  `(${WORD},"${WORD}")`,
  `not.eq.${WORD}`,
  `%${WORD}_*`,
  `${WORD}::regclass`,
  `${WORD}.sum()`,
  `...${WORD}(*)`,
  `${WORD}!inner(*)`,
  `${DIGITS}${DIGITS}${DIGITS}`,
  `-${DIGITS}e${DIGITS}`,
  `0x${DIGITS}`,
];

const BY_TYPE: [RegExp, readonly string[]][] = [
  [/\.int|numeric|float/, [DIGITS, `-${DIGITS}`, "1"]],
  [/uuid$/, [`${DIGITS}-0000-4000-8000-${DIGITS}0000`]],
  [/time|date/, ["2026-01-01T00:00:00.907418Z"]],
  [/bool$/, ["true", "false"]],
  [/json/, [`{"${WORD}":[${DIGITS},"${WORD}"]}`]],
  [/\._/, [`{${WORD},"${WORD}"}`, "{}"]],
];

export function createValues({ below, isChosen, pick }: Dice) {
  const word = () => (isChosen(0.5) ? WORD : `${WORD}${below(1_000)}`);
  const textFor = (type: string): string => {
    if (isChosen(0.25)) return pick(HOSTILE);
    const fitting = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1];
    return fitting ? pick(fitting) : word();
  };
  const odd = () =>
    pick([
      null,
      Number(DIGITS),
      { [word()]: word() },
      [word(), [word()]],
      true,
      `${WORD}\ud83c`,
      `\0${WORD}`,
    ]);
  const jsonFor = (type: string): unknown => {
    if (isChosen(0.1)) return odd();
    if (/json/.test(type)) return { [word()]: [word(), Number(DIGITS)] };
    return type.includes("._") ? [word(), word()] : textFor(type);
  };
  /** A JSON object as text, because it may have keys such as __proto__. */
  const rowOf = (names: readonly Named[]): string => {
    const pairs = names.map(({ name, type }): [string, unknown] => [name, jsonFor(type)]);
    if (isChosen(0.05)) pairs.push([pick([word(), "__proto__", "constructor"]), word()]);
    return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
  };
  return { word, textFor, rowOf };
}
