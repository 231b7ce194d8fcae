// Reads the kind of mail from its subject, in the portals' languages. Ignores what follows the colon: it is the name that the
// user gave to the search.

const NO_ALERT: readonly (readonly [RegExp, string])[] = [
  [/recom(?:end|mend)|consigliat|raccomandat|empfohlen/i, "a recommendation"],
  [/favou?rit|preferit|favoris/i, "about favourites"],
  [
    /contact|contatt|kontakt|respuesta|risposta|resposta|respond|\bmensaj|\bmessag|\bmensag|llamada|chamada|chiamata|\bcall\b|\bvisita|duplicad/i,
    "about a contact",
  ],
  [/bienvenid|welcome|benvenut|bem-vind|bienvenue|willkommen/i, "a welcome"],
  [
    /\b(?:tus?|sus?|your|(?:il )?tuo|(?:o )?teu) (?:anuncio|listing|annuncio|anúncio|inmueble|property)\b/i,
    "about an advert of their own",
  ],
  [/bolet[íi]n|newsletter|contraseña|password|palavra-passe|factura|invoice/i, "about something else"],
];
const ALERT =
  /tus? b[úu]squedas?|your (?:saved )?search|tu[ae] ricerc|(?:tuas?|suas?) pesquisas?|votre recherche|(?:deiner|ihrer) suche|resumen (?:diario|semanal)|nuevos anuncios|new listings?|nuovi annunci|novos anúncios|\d+ (?:novedad|anuncio)|bajada de precio|price reduction|diminuzione di prezzo|descida de preço/i;
const DIGEST =
  /resumen|riepilogo|resumo|summary|digest|\d+ (?:novedad|nuevos|new|nuov|novidad|novos)|nuevos anuncios|novedades/i;

const beforeName = (subject: string) => subject.split(":")[0] ?? "";

export function whyNoAlert(subject: string): string | null {
  return NO_ALERT.find(([pattern]) => pattern.test(beforeName(subject)))?.[1] ?? null;
}

export function saysAlert(subject: string): boolean {
  return ALERT.test(beforeName(subject));
}

export function saysDigest(subject: string): boolean {
  return DIGEST.test(beforeName(subject));
}

/** Whether the text is a heading above adverts that no search found. */
export function isRecommendation(text: string): boolean {
  return text.length <= 90 && RECOMMENDED.test(text);
}

const RECOMMENDED =
  /^te recomendamos:?$|^(?:anuncios|inmuebles|viviendas|pisos)? ?recomendad[oa]s|^(?:tambi[ée]n|quiz[áa]s?) te (?:puede|podr[íi]a|interes)|^otros anuncios|^(?:anuncios|inmuebles|viviendas) similares|^más oportunidades en|^recommended|^you (?:may|might) (?:also )?|^similar (?:listings|properties)|^consigliati|^(?:annunci|case) (?:simili|consigliat)|^potrebbe(?:ro)? (?:anche )?interessarti|^(?:anúncios|imóveis) (?:semelhantes|recomendados)|^também (?:te|lhe) pode/i;
