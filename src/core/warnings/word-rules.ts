/**
 * What the text of an advert reveals, in Spanish, Catalan and English. The patterns are applied to text in lower case
 * without accents. Every repetition is bounded, because descriptions are untrusted input.
 */

import type { Listing } from "../listing/listing.ts";
import type { Warning } from "./warning.ts";

type WordKind = Extract<Warning, { words: string }>["kind"];

export interface WordRule {
  readonly kind: WordKind;
  readonly appliesTo: (listing: Pick<Listing, "operation" | "kind">) => boolean;
  readonly says: readonly RegExp[];
  /** Similar phrases with another meaning. They are removed before matching. */
  readonly unless: readonly RegExp[];
}

const isRent = ({ operation }: Pick<Listing, "operation">) => operation === "rent";
const isSale = ({ operation }: Pick<Listing, "operation">) => operation === "sale";

const FEWER_THAN_TWELVE =
  "(?:[2-9]|1[01]|dos|tres|quatre|cuatro|cinc|cinco|sis|seis|set|siete|vuit|ocho|nou|nueve|deu|diez|onze|once|two|three|four|five|six|seven|eight|nine|ten|eleven)";

const SEASONAL: WordRule = {
  kind: "seasonal",
  // Adverts of sales mention seasonal lets as a possible use.
  appliesTo: isRent,
  says: [
    /(?<!\p{L})(?:alquiler|alquila|alquilo|alquilamos|contrato|arrendamiento|arriendo|estancias?|disponible|solo|unicamente|lloguer|lloga|llogo|contracte|lloguem|estades?)(?: \p{L}+){0,3} (?:de|por|para|per|en) (?:(?:corta|media|curta|mitja) )?temporada(?!\p{L})/gu,
    /(?<!\p{L})(?:por|per) temporadas?(?!\p{L})/gu,
    /(?<!\p{L})(?:alquiler|contrato|arrendamiento|estancias?|lloguer|contracte|estada)(?: \p{L}+){0,2} (?:temporal(?:es|s)?|vacacional|turistico|turistic)(?!\p{L})/gu,
    /(?<!\p{L})(?:cortas?|medias?|curtes|curta|mitjanes|mitjana) (?:estancias?|estades?|estada)(?!\p{L})/gu,
    /(?<!\p{L})estancias? (?:corta|media|temporal)(?:es|s)?(?!\p{L})/gu,
    new RegExp(
      `(?<!\\p{L})(?:contrato|alquiler|contracte|lloguer|estancias?)(?: \\p{L}+){0,3} ${FEWER_THAN_TWELVE} (?:meses|mesos)(?!\\p{L}| (?:de|com a) (?:fian|depos|dipos|garant|aval|perman|caren|preav|adelan))`,
      "gu",
    ),
    new RegExp(
      `(?<!\\p{L})(?:max|maximo|maxim|maximum)\\.?(?: (?:de|of))? ${FEWER_THAN_TWELVE} (?:meses|mesos|months)(?!\\p{L})`,
      "gu",
    ),
    /(?<!\p{L})(?:alquiler|estancias?|contrato|lloguer|estades?)(?: (?:de|por|per)){1,2} (?:meses|mesos|\d{1,2} a (?:[2-9]|1[01]) (?:meses|mesos))(?!\p{L})/gu,
    /(?<!\p{L})uso distinto (?:de|al de|a) vivienda/gu,
    /(?<!\p{L})temporada de (?:verano|invierno|otono|primavera|estudios|estiu|hivern)(?!\p{L})/gu,
    /(?<!\p{L})(?:disponible|libre|available|lliure)[^.;\n]{0,40} (?:hasta|fins|until|till) (?:el |al |a |finales de |finals de |the end of )?(?:\d{1,2} )?(?:de |d')?(?:mayo|junio|julio|agosto|maig|juny|juliol|agost|may|june|july|august)(?!\p{L})/gu,
    /(?<!\p{L})de (?:septiembre|octubre|setembre) a (?:mayo|junio|julio|maig|juny|juliol)(?!\p{L})/gu,
    /(?<!\p{L})(?:solo|unicamente|exclusivamente|nomes|unicament) (?:durante |para |per |durant )?(?:el |al )?curso? (?:escolar|academico|academic|lectivo|lectiu|universitario)/gu,
    /(?<!\p{L})(?:seasonal|monthly|temporary|short[- ]?term|mid[- ]?term|medium[- ]?term|short|holiday|vacation) (?:rent|rental|rentals|let|lets|letting|lettings|contract|lease|stay|stays|tenancy)(?!\p{L})/gu,
    new RegExp(
      `(?<!\\p{L})${FEWER_THAN_TWELVE}[- ]months? (?:maximum |max )?(?:contract|lease|let|rental|tenancy|only)(?!\\p{L})`,
      "gu",
    ),
    /(?<!\p{L})from (?:september|october) (?:to|until|till) (?:may|june|july)(?!\p{L})/gu,
  ],
  unless: [
    /(?<!\p{L})(?:larga|llarga|toda la|tota la) temporada/gu,
    /(?<!\p{L})(?:piscina|pool|calefaccion|calefaccio|socorrista|fruta|productos|productes|cocina|cuina)[^.;\n]{0,30} temporada/gu,
    /(?<!\p{L})(?:prorrogables?|ampliables?|preaviso|fianza|carencia|avalado|aval|deposito)(?: \p{L}+){0,3} (?:\p{L}+|\d{1,2}) meses/gu,
  ],
};

const SHARED_FLAT: WordRule = {
  kind: "shared-flat",
  // Who searches for rooms wants them.
  appliesTo: ({ operation, kind }) => operation === "rent" && kind !== "rooms",
  says: [
    /(?<!\p{L})(?:piso|pisos|vivienda|apartamento|casa|chalet|pis|habitatge|apartament) compart(?:id[oa]s?|its?|ida)(?!\p{L})/gu,
    /(?<!\p{L})(?:alquilan?|alquilo|alquilamos|arriendan?|arriendo|llog(?:a|o|uen|uem))(?: (?:una|un|la|las|les|dos|tres|varias|unicamente|solo|sola))? (?:habitacion(?:es)?|habitacions?|habitacio)(?!\p{L})/gu,
    /(?<!\p{L})(?:alquiler|arriendo|lloguer) (?:de |d')?(?:una? |las? |les )?(?:habitacion(?:es)?|habitacions?|habitacio)(?!\p{L})/gu,
    /(?<!\p{L})(?:alquil\p{L}+|arriend\p{L}+|llog\p{L}+)(?: \p{L}+){0,2} (?:por|per) (?:habitaciones|habitacions)(?!\p{L})/gu,
    /(?<!\p{L})(?:habitacion|habitacio)(?: \p{L}+){0,2} en (?:un |una )?(?:piso|vivienda|apartamento|pis|habitatge) (?:con|de|amb|compartid\p{L}*|compartit) (?:otr[oa]s|estudiantes|chic[oa]s|companer[oa]s|altres|estudiants|companys)(?!\p{L})/gu,
    /(?<!\p{L})(?:busco|buscamos|se buscan?|busquem|es busca) (?:un |una )?(?:companer[oa]s?|company[as]?|companyes|companys) de (?:piso|pis|casa)(?!\p{L})/gu,
    /(?<!\p{L})(?:cocina|bano|aseo|salon|cuina|bany)(?: \p{L}+){0,4} compart(?:id[oa]s?|its?|ida) (?:con|amb) (?:otr[oa]s?(?! (?:habitacion|dormitorio))|los demas|el resto|la propietaria|el propietario|altres(?! habitacions))(?!\p{L})/gu,
    /(?<!\p{L})(?:shared (?:flat|apartment|house|accommodation)|(?:flat|house)[- ]?share|(?:flat|house|room)mates? wanted)(?!\p{L})/gu,
    /(?<!\p{L})(?:bed)?rooms? (?:for rent|to rent|to let|available) in (?:a |an |our )?(?:\p{L}+ )?(?:shared|flat|apartment|house)(?!\p{L})/gu,
  ],
  unless: [
    /(?<!\p{L})(?:prohibid[oa]s?|prohibi(?:t|da))(?: \p{L}+){0,3} (?:alquil\p{L}+|arriend\p{L}+|llog\p{L}+)(?: \p{L}+){0,2} (?:habitacion(?:es)?|habitacions?|habitacio)/gu,
    /(?<!\p{L})(?:ideal|perfecto|apto|posibilidad|opcion|perfect|suitable)(?: \p{L}+){0,4} (?:piso|pis|vivienda|flat|apartment|house) ?(?:compartid[oa]|compartit|share)/gu,
    /(?<!\p{L})(?:ideal|perfect|suitable|great) (?:for|as)(?: \p{L}+){0,2} (?:shared (?:flat|apartment|house|accommodation)|(?:flat|house)[- ]?share)/gu,
  ],
};

const STREET =
  "(?:calle|c/|plaza|pza|avenida|avda|paseo|travesia|callejon|camino|ronda|glorieta|cuesta|carrer|placa|passeig|street|square)";

const AUCTION: WordRule = {
  kind: "auction",
  appliesTo: isSale,
  says: [
    /(?<!\p{L})(?:(?:en|por|por la|mediante|a|per|en la|proxima|procedente de) )?(?:subastas?|subhast(?:a|es))(?: (?:judicial|notarial|electronica|publica|online|voluntaria)(?:es|s)?)?(?!\p{L})/gu,
    /(?<!\p{L})(?:subastado|subastara|subastamos|subhastat|cesion de(?:l)? remate|cessio de remat|puja minima|pujas online|puja de salida|licitacion)(?!\p{L})/gu,
    /(?<!\p{L})(?:(?:public|online|judicial|court|bank|at|by|for) )?(?:auction|auctioned|auctions)(?!\p{L})/gu,
    /(?<!\p{L})(?:minimum|starting|opening|reserve) bid(?!\p{L})/gu,
  ],
  unless: [
    /(?<!\p{L})(?:casas?|salas?|galerias?|empresa|cases?|sales?) de (?:subast|subhast)\p{L}+/gu,
    /(?<!\p{L})(?:cerca|pasos|junto|frente|lado|proximo|minutos|prop|costat)(?: \p{L}+){0,1} (?:de|del|a|al|d') (?:la |las |les )?(?:subast|subhast)\p{L}+/gu,
    /(?<!\p{L})auction (?:house|houses|room|rooms|gallery)/gu,
    new RegExp(
      `(?<!\\p{L})${STREET}\\.?,? (?:de |del |de la |de las |de les |la )?(?:subast|subhast)\\p{L}+`,
      "gu",
    ),
    /(?<!\p{L})(?:cuadros?|obras? de arte|muebles?|antiguedad\p{L}*|lampara|furniture|painting|quadres?|mobles?)[^.;\n]{0,40}(?:subasta\p{L}*|subhasta|auction\p{L}*)/gu,
  ],
};

const BARE_OWNERSHIP: WordRule = {
  kind: "bare-ownership",
  appliesTo: isSale,
  says: [
    /(?<!\p{L})nuda[- ]propiedad(?!\p{L})/gu,
    /(?<!\p{L})nud[oa][- ]propietari[oa]s?(?!\p{L})/gu,
    /(?<!\p{L})(?:nua|nuda)[- ]propietat(?!\p{L})/gu,
    /(?<!\p{L})(?:usufructo|usufructuari[oa]s?|usdefruit|usufructuari|usdefruituari[a]?)(?: vitalici[oa]?)?(?!\p{L})/gu,
    /(?<!\p{L})(?:bare|naked) (?:ownership|property|title)(?!\p{L})/gu,
    /(?<!\p{L})(?:usufruct|life (?:tenant|interest|estate|tenancy))(?!\p{L})/gu,
  ],
  unless: [/(?<!\p{L})(?:extincion|extinguido|cancelado|extingit)(?: \p{L}+){0,2} (?:usufructo|usdefruit)/gu],
};

const OCCUPIED: WordRule = {
  kind: "occupied",
  appliesTo: isSale,
  says: [
    /(?<!\p{L})(?:ilegalmente |actualmente |il·legalment )?ocupad[oa]s?(?: (?:ilegalmente|ilegal|por terceros|por un tercero|sin titulo|sin contrato|actualmente))?(?!\p{L})/gu,
    /(?<!\p{L})okupad[oa]s?(?!\p{L})/gu,
    /(?<!\p{L})okupas?(?!\p{L})/gu,
    /(?<!\p{L})(?:il·legalment |actualment )?ocupats?(?: (?:il·legalment|per tercers|sense titol))?(?!\p{L})/gu,
    /(?<!\p{L})ocupantes?(?: sin titulo| ilegal(?:es)?)?(?!\p{L})/gu,
    /(?<!\p{L})(?:ocupacion ilegal|ocupacio il·legal|situacion de ocupacion|precaristas?)(?!\p{L})/gu,
    /(?<!\p{L})(?:sin|sense|no se (?:entrega|tiene|transmite|dispone de)) (?:la )?(?:posesion|possessio)(?!\p{L})/gu,
    /(?<!\p{L})(?:illegally |currently |unlawfully )?occupied(?: (?:illegally|by third parties|by squatters|by tenants))?(?!\p{L})/gu,
    /(?<!\p{L})(?:squatters?|squatted|illegal occupants?)(?!\p{L})/gu,
    /(?<!\p{L})(?:without|no) (?:vacant )?possession(?!\p{L})/gu,
  ],
  unless: [
    /(?<!\p{L})(?:superficie|parcela|espacio|metros|terreno|suelo|edificabilidad|plazas?|area|espai)(?: \p{L}+){0,3} ocupad[oa]s?/gu,
    /(?<!\p{L})(?:habitacion|habitaciones|dormitorios?|habitacio|habitacions|rooms?|bedrooms?)[^.;\n]{0,40}(?:ocupad[oa]s?|ocupats?|ocupades|occupied)/gu,
    /(?<!\p{L})ocupad[oa] (?:hasta|por (?:su|sus|la|el|los|las)? ?(?:actual(?:es)? )?(?:propiedad|propietari|duen|terraza|jardin|piscina|patio|salon|cocina))/gu,
    /(?<!\p{L})ocupad[oa]s? (?:en su mayoria |integramente )?por (?:(?:un|una|unos|unas|el|la|los|las) )?(?:locales|local|oficina|comerci|tienda|garaje|trastero|despacho|negocio|banco)\p{L}*/gu,
    /(?<!\p{L})(?:anteriormente|antes|previamente|historicamente|tradicionalmente) ocupad[oa]/gu,
    /(?<!\p{L})anti[- ]?(?:okupas?|ocupas?|ocupacion|squat\p{L}*)/gu,
    /(?<!\p{L})owner[- ]occupied/gu,
    /(?<!\p{L})(?:formerly|previously) occupied/gu,
    /(?<!\p{L})occupied (?:area|surface|by (?:the|its) owners?)/gu,
    /(?<!\p{L})(?:primera|licencia de primera|cedula de|primera) ocupacion/gu,
  ],
};

const MONEY =
  "(?:transferencia|transferencia bancaria|bizum|pago|pagament|senal|paga i senyal|deposito|diposit|ingreso|ingres|abono|adelanto|fianza|fianca|giro|dinero|diners|pagar|abonar|transferir|ingresar|abonando|pagando|abonar|pagament previ)";
const MONEY_EN = "(?:transfer|wire|pay|payment|deposit|reservation fee|booking fee|holding fee|money)";

const PAY_BEFORE_VIEWING: WordRule = {
  kind: "pay-before-viewing",
  appliesTo: () => true,
  says: [
    new RegExp(
      `(?<!\\p{L})(?:${MONEY}|reserva|reservar|reserve)(?!\\p{L})[^.;,!?\\n]{0,60}(?:antes|previ[oa]|previamente|abans)(?: \\p{L}+){0,4} (?:visitas?|visitar\\p{L}*|ver|verl[oa]|ensenar\\p{L}*|mostrar\\p{L}*|veure|veure'l|llaves|claus)(?!\\p{L})`,
      "gu",
    ),
    new RegExp(
      `(?<!\\p{L})${MONEY}(?!\\p{L})(?:(?! (?:y|i) )[^.;,!?\\n]){0,40} (?:para|per)(?: \\p{L}+){0,3} (?:visitas?|visitar\\p{L}*|ver|verl[oa]|veure|concertar|llaves|claus)(?!\\p{L})`,
      "gu",
    ),
    new RegExp(
      `(?<!\\p{L})(?:(?:antes|abans) de|para|per)(?: \\p{L}+){0,3} (?:visitas?|visitar\\p{L}*|ver|verl[oa]|veure)(?!\\p{L})[^.;!?\\n]{0,50} ${MONEY}(?!\\p{L})`,
      "gu",
    ),
    /(?<!\p{L})(?:llaves|claus)[^.;!?\n]{0,30} (?:por|mediante|per|via) (?:correo|mensajeria|mensajero|courier|dhl|ups|correu|missatgeria|airbnb)/gu,
    /(?<!\p{L})(?:reserva\p{L}*|alquil\p{L}+|llog\p{L}+)(?: \p{L}+){0,4} (?:sin|sense) (?:ver|visita|visitar|veure)\p{L}*/gu,
    /(?<!\p{L})(?:western union|moneygram|money gram)(?!\p{L})/gu,
    new RegExp(
      `(?<!\\p{L})${MONEY_EN}(?!\\p{L})[^.;!?\\n]{0,60} (?:before|prior to|in order to|to arrange)(?: \\p{L}+){0,4} (?:view|viewing|viewings|visit|visiting|see|seeing|keys)(?!\\p{L})`,
      "gu",
    ),
    /(?<!\p{L})(?:before|prior to)(?: \p{L}+){0,3} (?:view|viewing|visit|visiting|seeing)(?!\p{L})[^.;!?\n]{0,50} (?:transfer|wire|pay|payment|deposit)(?!\p{L})/gu,
    /(?<!\p{L})(?:transfer|pay|payment|deposit)(?!\p{L})[^.;!?\n]{0,30} first(?!\p{L} month)[^.;!?\n]{0,20} (?:view|visit|see)(?!\p{L})/gu,
    /(?<!\p{L})keys[^.;!?\n]{0,30} (?:by|via|through) (?:post|mail|courier|dhl|ups|airbnb)/gu,
    /(?<!\p{L})(?:reserve|book|rent)\p{L}*(?: \p{L}+){0,3} (?:without|sight)(?: \p{L}+){0,2} (?:viewing|visit|visiting|unseen)/gu,
  ],
  unless: [
    /(?<!\p{L})reserv\p{L}+ (?:(?:su|tu|una|la|ya|your|a|the) )?(?:cita|visita|viewing|visit|appointment)/gu,
    /(?<!\p{L})(?:despues|tras|despres|after)(?: \p{L}+){0,3} (?:visita|visitar|viewing|visit|visiting)/gu,
  ],
};

export const WORD_RULES: readonly WordRule[] = [
  SEASONAL,
  SHARED_FLAT,
  AUCTION,
  BARE_OWNERSHIP,
  OCCUPIED,
  PAY_BEFORE_VIEWING,
];
