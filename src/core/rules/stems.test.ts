import { expect, test } from "vitest";
import { stemsIn } from "./stems.ts";
import { wordsIn } from "./words-in.ts";

const stem = (text: string) => stemsIn(wordsIn(text)).trim();

/** The forms of one word each. */
const SAME: readonly (readonly string[])[] = [
  ...[
    ["mascota", "mascotas"],
    ["okupa", "okupas"],
    ["habitación", "habitaciones", "habitacioncita"],
  ],
  ...[
    ["piso", "pisos", "pisito", "pisitos"],
    ["casa", "casas", "casita", "casitas"],
    ["ático", "áticos", "ática"],
  ],
  ...[
    ["terraza", "terrazas", "terracita", "terracitas"],
    ["balcón", "balcones", "balconcito"],
  ],
  ...[
    ["jardín", "jardines", "jardincito"],
    ["salón", "salones", "saloncito"],
    ["patio", "patios", "patiecito"],
  ],
  ...[
    ["amueblado", "amueblada", "amueblados", "amuebladas"],
    ["reformado", "reformada", "reformados"],
  ],
  ...[
    ["ocupado", "ocupada", "ocupados"],
    ["alquilado", "alquilada"],
    ["bajo", "baja", "bajos", "bajas"],
  ],
  ...[
    ["local", "locales"],
    ["garaje", "garajes"],
    ["calle", "calles", "callecita"],
    ["luz", "luces", "lucecita"],
  ],
  ...[
    ["mes", "meses"],
    ["vez", "veces"],
    ["pared", "paredes"],
    ["padre", "padres"],
    ["mueble", "muebles"],
  ],
  ...[
    ["grande", "grandes"],
    ["exterior", "exteriores"],
    ["ascensor", "ascensores"],
    ["país", "países"],
  ],
  ...[
    ["comunidad", "comunidades"],
    ["perro", "perra", "perros", "perritos", "perrito"],
    ["niño", "niña", "niños"],
  ],
  ...[
    ["soltero", "soltera", "solteros"],
    ["inquilino", "inquilina", "inquilinos"],
    ["joven", "jóvenes"],
  ],
  ...[
    ["dueño", "dueña", "dueños"],
    ["vecino", "vecinos", "vecina"],
    ["tranquilo", "tranquila", "tranquilos"],
  ],
  ...[
    ["primer", "primero", "primera"],
    ["nuevo", "nueva", "nuevos", "nuevas"],
    ["luminoso", "luminosa"],
  ],
  ...[
    ["loft", "lofts"],
    ["dúplex", "dúplexes"],
    ["alquiler", "alquileres"],
    ["trastero", "trasteros"],
  ],
  ...[
    ["turístico", "turística", "turísticos"],
    ["cocina", "cocinas", "cocinita"],
    ["barco", "barcos", "barquito"],
  ],
  ...[
    ["visita", "visitas"],
    ["depósito", "depósitos"],
    ["estudiante", "estudiantes"],
    ["gato", "gata", "gatitos"],
  ],
  ...[
    ["interior", "interiores"],
    ["nómina", "nóminas"],
    ["aval", "avales"],
    ["fianza", "fianzas"],
  ],
  ...[
    ["subasta", "subastas"],
    ["nuda propiedad", "nudas propiedades"],
    ["planta baja", "plantas bajas"],
  ],
  // Portuguese.
  ...[
    ["quarto", "quartos", "quartinho"],
    ["mansão", "mansões"],
    ["jardim", "jardins"],
    ["imóvel", "imóveis"],
  ],
  ...[
    ["animal", "animais"],
    ["garagem", "garagens"],
    ["casa", "casinha"],
    ["varanda", "varandas", "varandinha"],
  ],
  ...[
    ["mobilado", "mobilada", "mobilados"],
    ["apartamento", "apartamentozinho"],
    ["hotel", "hotéis"],
  ],
  ...[
    ["cozinha", "cozinhas"],
    ["cão", "cães"],
    ["aluguel", "aluguéis"],
    ["quintal", "quintais"],
  ],
];

/** Words that mean different things. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ...([
    ["casa", "caso"],
    ["casa", "casado"],
    ["puerta", "puerto"],
    ["plaza", "plazo"],
    ["piso", "pisa"],
  ] as const),
  ...([
    ["planta", "plan"],
    ["mesa", "mes"],
    ["sala", "sal"],
    ["cama", "camino"],
    ["visita", "visa"],
  ] as const),
  ...([
    ["cuota", "cuarto"],
    ["obra", "obrero"],
    ["luz", "lujo"],
    ["banco", "baño"],
    ["vista", "visto"],
  ] as const),
  ...([
    ["ocupado", "ocupa"],
    ["cocina", "coche"],
    ["local", "localidad"],
    ["alto", "alta velocidad"],
  ] as const),
  ...([
    ["portal", "portero"],
    ["bar", "barrio"],
    ["nave", "nieve"],
    ["suelo", "suela"],
    ["gas", "gasto"],
  ] as const),
];

test.each(SAME)("LAST-07 the forms of %s are one word", (...forms) => {
  expect(forms.map(stem)).toEqual(forms.map(() => stem(forms[0] ?? "")));
});

test.each(DIFFERENT)("LAST-07 %s and %s are two words", (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});
