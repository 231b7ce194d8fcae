import type { PlaceTree } from "./place-tree.ts";

/** Zona suroeste: its towns, with the parts the portal divides them into. */
export const MADRID_SOUTHWEST: PlaceTree = {
  "003-004": "El Álamo",
  "004-119": "Quijorna",
  "005-026": "Brunete",
  "006-141": "Sevilla la Nueva",
  "007-096": [
    "Navalcarnero",
    {
      "01": "Centro",
      "02": "El Pijorro",
      "03": "La Dehesa - El Pinar",
      "04": "Covadonga - Los Manzanos",
      "05": "Calypo",
    },
  ],
  "008-109": "Pelayos de la Presa",
  "008-133": "San Martín de Valdeiglesias",
  "009-042": "Colmenar del Arroyo",
  "009-056": "Fresnedillas de la Oliva",
  "009-095": "Navalagamella",
  "009-175": "Villamantilla",
  "009-178": "Villanueva de Perales",
  "010-031": "Cadalso de los Vidrios",
  "010-037": "Cenicientos",
  "010-128": "Rozas de Puerto Real",
  "011-008": "Aldea del Fresno",
  "011-171": "Villa del Prado",
  "011-174": "Villamanta",
  "012-135": "Santa María de la Alameda",
  "012-159": "Valdemaqueda",
  "012-183": "Zarzalejo",
  "013-125": "Robledo de Chavela",
  "014-051": "Chapineria",
  "014-099": "Navas del Rey",
};
