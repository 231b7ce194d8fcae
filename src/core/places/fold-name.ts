/** Makes spellings of one name comparable: without case and accents, and as the name sounds in Spanish. */

export interface FoldedWord {
  /** Without accents, in lower case. */
  readonly text: string;
  /** How the word sounds, the same for "Jávea", "Xavea" and "Хавеа". */
  readonly sound: string;
}

/** A name, prepared for comparing. */
export interface Name {
  readonly text: string;
  readonly sound: string;
  /** Its own words without spaces and hyphens: "sansebastian". */
  readonly joined: FoldedWord;
  /** The words that tell it from others. All, if it has only small ones. */
  readonly own: readonly FoldedWord[];
}

/** Words that a name may have or lack: articles, and the kind of place. */
const SMALL_WORDS = new Set(
  (
    "a al as d da das de del dels den der des di die do dos du e el els en et i im in l la las le les los o of os the " +
    "u und y в г на из и де ла эль лас лос дель barrio city ciudad comarca distrito district insel ile iles isla islas " +
    "island islands province provincia provinz quartier region spain spanien espagne espana stadt town ville viertel " +
    "город испания область остров провинция раион регион"
  ).split(" "),
);

export function namedOf(words: readonly FoldedWord[]): Name {
  const told = words.filter(({ text }) => !SMALL_WORDS.has(text));
  const own = told.length > 0 ? told : words;
  const join = (part: keyof FoldedWord, of: readonly FoldedWord[], by: string) =>
    of.map((word) => word[part]).join(by);
  return {
    text: join("text", words, " "),
    sound: join("sound", words, " "),
    joined: { text: join("text", own, ""), sound: join("sound", own, "") },
    own,
  };
}

export function foldedWords(name: string): readonly FoldedWord[] {
  return name
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => ({ text: withoutMarks(word), sound: soundOf(word) }));
}

function withoutMarks(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "");
}

const SAINTS: Readonly<Record<string, string>> = {
  sant: "san",
  saint: "san",
  sankt: "san",
  st: "san",
  сант: "san",
  sainte: "santa",
  ste: "santa",
};

function soundOf(word: string): string {
  const saint = SAINTS[word];
  if (saint !== undefined) return saint;
  const sound = /\p{Script=Cyrillic}/u.test(word) ? soundOfRussian(word) : soundOfSpanish(word);
  return sound.replace(/(.)\1+/g, "$1");
}

const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  "аa бb вb гg дd еe ёio жh зs иi йi кk лl мm нn оo пp рr сs тt уu фf хh цs чC шs щs ъ ыi ь эe юiu яia іi їi єie ґg"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);

/** Russian writes Spanish names as they sound: "Вальядолид", "Торревьеха", "Гвадалахара". */
function soundOfRussian(word: string): string {
  return word
    .replace(/дж/g, "ж")
    .replace(/([гк])в(?=[аеиэ])/g, "$1у")
    .replace(/[ьъ]([еэоу])/g, "и$1")
    .replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter);
}

const SPANISH_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ñ/g, "ni"],
  [/ç/g, "s"],
  [/gü(?=[ei])/g, "gU"],
];
const PLAIN_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/tsch|tx|ch/g, "C"],
  [/sch|sh/g, "s"],
  [/ph/g, "f"],
  [/qu(?=[ei])|q/g, "k"],
  [/gu(?=[ei])/g, "g"],
  [/g(?=[ei])|j|^x/g, "J"],
  [/c(?=[ei])|tz|z|x/g, "s"],
  [/c/g, "k"],
  [/h/g, ""],
  [/J/g, "h"],
  [/ll(?=[aeou])/g, "li"],
  [/y/g, "i"],
  [/[vw]/g, "b"],
  [/U/g, "u"],
];

function soundOfSpanish(word: string): string {
  const marked = SPANISH_SOUNDS.reduce((text, [from, to]) => text.replace(from, to), word);
  return PLAIN_SOUNDS.reduce((text, [from, to]) => text.replace(from, to), withoutMarks(marked));
}
