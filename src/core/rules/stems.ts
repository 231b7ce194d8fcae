/**
 * Equal for the forms of a word in which adverts use it: plural, gender and diminutive, in Spanish and Portuguese, without accents.
 * The stemmers on npm merge more than that ("casa" and "caso", "puerta" and "puerto"), so that a rule would leave out the wrong
 * homes. A stem is no word: both sides are stemmed.
 */

const SHORTEST = 4;

/** "-ito" and "-inho" belong to the word. */
const NO_DIMINUTIVES = new Set(
  (
    "visita deposito requisito credito gratuito gratuita circuito infinito infinita escrito escrita exquisito exquisita " +
    "proposito transito ejercito favorito favorita granito distrito subito ambito habito debito delito exito explicito explicita " +
    "implicito implicita bonito bonita senorita margarita necesita permita permite facilita capacita limita invita deposita edita " +
    "solicita habita evita cozinha vizinho vizinha caminho linha rainha farinha marinha galinha campinho"
  ).split(" "),
);

/** Adjectives and people that the endings below do not cover. In other words "o" and "a" tell apart: "puerto", "puerta". */
const WITH_GENDER = new Set(
  (
    "nuev baj alt ampli bonit pequen tranquil antigu perr gat duen vaci limpi propi medi complet segur barat car larg cort anch " +
    "blanc negr roj viej sol segund cuart quint sext septim octav modern intern extern luminos soleg novo nov pequn cheg mort " +
    "grup chic alumn inquilin estrech inclus vari much poc tod otr peludit cachorr filh meu seu dono don lind feit bell nuestr vuestr"
  ).split(" "),
);
const GENDERED = /(?:ad|id|er|os|iv|ic|an|in|ari|ori|ent|uest|iert|ech)$/;

const PLURALS: readonly (readonly [RegExp, string])[] = [
  // Portuguese: mansões, jardins, imóveis.
  [/[oa]es$/, "ao"],
  [/ns$/, "m"],
  [/([aeou])is$/, "$1l"],
  [/([aeo])s$/, "$1"],
  // Borrowed words: lofts.
  [/([^aeious])s$/, "$1"],
];

const DIMINUTIVES: readonly (readonly [RegExp, string])[] = [
  [/iecit([oa])$/, "i$1"],
  [/([^aeiou])ecit[oa]$/, "$1"],
  [/([nr])cit[oa]$/, "$1"],
  [/quit([oa])$/, "c$1"],
  [/guit([oa])$/, "g$1"],
  [/([^aeiou]|[iu])it([oa])$/, "$1$2"],
  [/zinh[oa]$/, ""],
  [/([^aeiou]|[iu])inh([oa])$/, "$1$2"],
];
/** What is left of a diminutive must be a word. */
const SHORTEST_BASE = 3;

function stemOf(word: string): string {
  if (word.length < SHORTEST || /\d/.test(word)) return word.replaceAll("z", "c");
  const singular = word.length === SHORTEST && /(?:[^oa]e|i)s$/.test(word) ? word : changed(word, PLURALS);
  const base = NO_DIMINUTIVES.has(singular) ? singular : changed(singular, DIMINUTIVES);
  const whole = base.length < SHORTEST_BASE ? singular : base;
  const neutral = whole.replace(/[oa]$/, "");
  const isGendered = neutral !== whole && neutral.length >= SHORTEST_BASE;
  const stem = isGendered && (WITH_GENDER.has(neutral) || GENDERED.test(neutral)) ? neutral : whole;
  // "locale", "garaje": the plural's "e" cannot be told from the word's own. "luces", "terracita".
  return stem.replace(/([^aeiou])e$/, "$1").replaceAll("z", "c");
}

function changed(word: string, endings: readonly (readonly [RegExp, string])[]): string {
  const ending = endings.find(([pattern]) => pattern.test(word));
  return ending === undefined ? word : word.replace(ending[0], ending[1]);
}

const known = new Map<string, string>();
/** Adverts share their vocabulary. */
const MOST_KNOWN = 50_000;

/** The words of a text as wordsIn() writes them, stemmed. */
export function stemsIn(words: string): string {
  return words
    .split(" ")
    .map((word) => {
      const stem = known.get(word) ?? stemOf(word);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(word, stem);
      return stem;
    })
    .join(" ");
}
