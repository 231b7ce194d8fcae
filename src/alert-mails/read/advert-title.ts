// Parses an advert's title: "Piso en Calle X, 294, Barrio, Municipio".
import type { Kind } from "#core/search/search.ts";

export interface Sort {
  readonly kind: Kind;
  readonly typology: string | null;
  readonly subTypology: string | null;
}

const home = (typology: string | null, subTypology: string | null = null): Sort => ({
  kind: "homes",
  typology,
  subTypology,
});
const kindAlone = (kind: Kind, typology: string): Sort => ({ kind, typology, subTypology: null });
const SORTS: readonly (readonly [RegExp, Sort])[] = [
  [/^(?:ático|atico|penthouse|attico|cobertura)/i, home("flat", "penthouse")],
  [/^d[úu]plex/i, home("flat", "duplex")],
  [/^(?:estudio|studio|monolocale|est[úu]dio)/i, home("flat", "studio")],
  [
    /^(?:finca|casa rural|casa de pueblo|casa r[úu]stica|caser[íi]o|caser[óo]n|cortijo|mas[íi]a|country|casale|rustico|rústico|quinta|village house)/i,
    home("countryHouse"),
  ],
  [
    /^(?:chalet|casa|house|villetta|moradia)\b.*(?:paread[oa]|semi-?detached|bifamiliare|geminada)/i,
    home("chalet", "semidetachedHouse"),
  ],
  [
    /^(?:chalet|casa|house|villetta|moradia)\b.*(?:adosad[oa]|terraced|a schiera|em banda)/i,
    home("chalet", "terracedHouse"),
  ],
  [
    /^(?:chalet|casa|house|villa|moradia)\b.*(?:ind[ei]pendi?ente|independent|detached|isolada)/i,
    home("chalet", "independantHouse"),
  ],
  [/^semi-?detached/i, home("chalet", "semidetachedHouse")],
  [/^terraced/i, home("chalet", "terracedHouse")],
  [/^(?:detached|independent)/i, home("chalet", "independantHouse")],
  [/^(?:chalet|casa|villa|house|villetta|moradia|torre|palacete|bungal[oó]w|town ?house)/i, home("chalet")],
  [/^(?:habitaci[óo]n|room|stanza|quarto)\b/i, kindAlone("rooms", "room")],
  [
    /^(?:garaje|plaza de (?:garaje|parking)|garage|parking|box|posto auto|garagem|lugar de)/i,
    kindAlone("garages", "garage"),
  ],
  [/^(?:trastero|storage|cantina|arrecad)/i, kindAlone("storage-rooms", "storageRoom")],
  [/^(?:oficina|office|ufficio|escrit[óo]rio)/i, kindAlone("offices", "office")],
  [
    /^(?:local\b|nave|commercial|premises|shop|negozio|locale commerciale|capannone|magazzino|loja|armaz)/i,
    kindAlone("premises", "premise"),
  ],
  [/^(?:terreno|solar|parcela|land|plot|lote)/i, kindAlone("land", "land")],
  [/^(?:edificio|building|palazzo|pr[ée]dio)/i, kindAlone("buildings", "building")],
  [
    /^(?:piso|loft|[aá]tico|apartamento|flat|apartment|appartamento|bilocale|trilocale|quadrilocale|plurilocale|mansarda|planta|bajo|entresuelo|vivienda|pis\b|apartament|andar)/i,
    home("flat"),
  ],
];
const AT = /\s(?:en|in|em|na|no|nas|nos|at|·)\s/i;
const NUMBER = /^(?:n[º°o.]{0,2}\s?)?\d+(?:\s?[-–/]\s?\d+)?(?:\s?(?:\p{L}{1,2}|bis))?$|^s\/?n$|^km\.? ?\d/iu;
const CUT = /\s*(?:\.{3}|…)$/;

/** Reads the type of home from the words before the place. */
export function sortOf(title: string | null): Sort {
  const [words = ""] = (title ?? "").split(AT);
  return SORTS.find(([pattern]) => pattern.test(words))?.[1] ?? home(null);
}

/** Whether the text looks like a title: a type of home and a place. */
export function isTitle(text: string): boolean {
  return text.length <= 200 && !text.includes("€") && sortOf(text).typology !== null && /\s\p{L}/u.test(text);
}

/** From narrow to wide, with the number joined to its street. */
export function addressInTitle(title: string | null): string[] {
  if (title === null) return [];
  return partsOf(placeIn(title.replace(CUT, "")).split(","), CUT.test(title));
}

/** What follows "Piso en", "Casa adosada en venta en", "Trilocale a". */
export function placeIn(title: string): string {
  const behind = (at: RegExp) => {
    const match = at.exec(title);
    return match && match.index <= 60 ? title.slice(match.index + match[0].length) : null;
  };
  const place = behind(AT) ?? behind(/\sa\s/i) ?? title;
  return place.replace(/^(?:venta|alquiler|vendita|affitto|sale|rent)\s(?:en|in|a)\s/i, "");
}

/** `isCut`: the last part may be truncated, so it is dropped. */
export function partsOf(pieces: readonly string[], isCut: boolean): string[] {
  const parts: string[] = [];
  for (const part of pieces.map((piece) => piece.trim())) {
    if (part === "") continue;
    if (NUMBER.test(part) && parts.length > 0) parts[parts.length - 1] += `, ${part}`;
    else parts.push(part);
  }
  return isCut && parts.length > 1 ? parts.slice(0, -1) : parts;
}
