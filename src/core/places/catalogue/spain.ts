import { BARCELONA_CITY } from "./barcelona-city.ts";
import { MADRID_CITY } from "./madrid-city.ts";
import { MADRID_HENARES } from "./madrid-henares.ts";
import { MADRID_NORTH } from "./madrid-north.ts";
import { MADRID_NORTHWEST } from "./madrid-northwest.ts";
import { MADRID_SOUTH } from "./madrid-south.ts";
import { MADRID_SOUTHEAST } from "./madrid-southeast.ts";
import { MADRID_SOUTHWEST } from "./madrid-southwest.ts";
import type { PlaceTree } from "./place-tree.ts";
import { PROVINCES } from "./provinces.ts";
import { VALENCIA_CITY } from "./valencia-city.ts";

/** Every province; the province of Madrid and the cities of Barcelona and Valencia down to their barrios. */
export const SPAIN: PlaceTree = {
  ...PROVINCES,
  "08": [
    "Barcelona",
    {
      "01": "Maresme",
      "02": "Barcelonès",
      "03": "Baix Llobregat Sud",
      "04": "Garraf",
      "05": "Vallès Oriental",
      "06": "Vallès Occidental",
      "07": "Alt Penedès",
      "08": "Osona",
      "09": "Bages",
      "10": "Anoia",
      "11": "Berguedà",
      "12": "Baix Llobregat Nord",
      "13-001-019": ["Barcelona", BARCELONA_CITY],
      "14": "Moianès",
    },
  ],
  "28": [
    "Madrid",
    {
      "01": ["Zona norte", MADRID_NORTH],
      "02": ["Zona noroeste", MADRID_NORTHWEST],
      "03": ["Zona suroeste", MADRID_SOUTHWEST],
      "04": ["Zona sur", MADRID_SOUTH],
      "05": ["Zona sureste", MADRID_SOUTHEAST],
      "06": ["Corredor del Henares", MADRID_HENARES],
      "07-001-079": ["Madrid", MADRID_CITY],
    },
  ],
  "46": [
    "València",
    {
      "01": "Camp de Morvedre",
      "02": ["Valencia", { "002-250": ["València", VALENCIA_CITY] }],
      "03": "Ribera Baixa",
      "04": "Safor",
      "05": "El Camp de Tùria",
      "06": "Hoya de Buñol",
      "07": "Ribera Alta",
      "08": "La Costera",
      "09": "La Vall d'Albaida",
      "10": "Los Serranos",
      "11": "La Canal de Navarrés",
      "12": "La Plana d'Utiel",
      "13": "El Valle de Ayora",
      "14": "El Rincón de Ademuz",
      "15": "L'Horta Nord",
      "17": "L'Horta Sud",
    },
  ],
};
