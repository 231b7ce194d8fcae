import type { PlaceTree } from "./place-tree.ts";

/** Zona noroeste: its towns, with the parts the portal divides them into. */
export const MADRID_NORTHWEST: PlaceTree = {
  "001-181": [
    "Villaviciosa de Odón",
    {
      "01": "El Bosque",
      "02": "Centro",
      "03": "Castillo - Campodón",
    },
  ],
  "002-022": [
    "Boadilla del Monte",
    {
      "01": "Casco Antiguo",
      "02": "Sector B",
      "03": "Urb. este - Montepríncipe",
      "04": "Viñas Viejas",
      "05": "El Olivar de Mirabal",
      "06": "Parque Boadilla",
      "07": "Bonanza",
      "08": "Valdepastores - Las Encinas",
      "09": "Valdecabañas",
      "10": "Las Lomas",
      "11": "Sector S",
      "12": "Cortijo Sur",
      "13": "El Pastel",
      "14": "Valenoso",
    },
  ],
  "003-115": [
    "Pozuelo de Alarcón",
    {
      "05": ["Urbanizaciones", "Monteclaro | Montealina | La Cabaña | Prado Largo"],
      "07": ["Zona Prado de Somosaguas - La Finca", "La Finca | Prado de Somosaguas"],
      "08": "ARPO",
    },
  ],
  "004-080": [
    "Majadahonda",
    {
      "01": "Zona norte",
      "02": "Zona Carretera del Plantío",
      "03": "Casco Antiguo",
      "04": "Zona Monte el Pilar",
      "05": "Golf - El Carralero",
      "06": "Los Satélites - Roza Martín",
    },
  ],
  "005-127": [
    "Las Rozas de Madrid",
    {
      "01": [
        "Rozas Centro",
        "Casco Antiguo | La Cañadilla | Alto de la Jabonería | Zona Estación | El Caño- Maracaibo | Zona Auditorio",
      ],
    },
  ],
  "006-152": [
    "Torrelodones",
    {
      "01": "Casco Antiguo",
      "02": "Los Ángeles - Jarandilla",
      "03": "Los Robles",
      "04": [
        "Los Peñascales",
        "Salud y Alegría - El Lago | El Monte | El Peñalar - Arroyo de Trofas - Montealegre",
      ],
      "06": "Centro Comercial - Hospital",
      "07": "Las Marías",
      "08": "El Gasco",
      "09": "Colonia",
      "10": "La Berzosilla",
    },
  ],
  "007-061": [
    "Galapagar",
    {
      "01": "La Navata",
      "02": "Puerto de Galapagar-Las Cuestas",
      "03": "Casco Antiguo",
      "04": "La Canaleja",
      "05": "El Guijo - Colonia España - Colonia San Antonio",
      "06": "Parquelagos - Puente Nuevo",
      "07": "El Praderón",
      "08": "Casa Amarilla",
      "09": "Deportivo Galapagar - Los Almendros",
      "10": "Los Jarales - Las Minas",
    },
  ],
  "008-047": [
    "Collado Villalba",
    {
      "01": "Villalba Pueblo",
      "02": "Villalba Estación",
      "03": "Parque de la Coruña - Las Suertes",
      "04": "Carlos Ruiz",
      "05": "Los Negrales",
      "06": "Los Valles",
      "07": "Fontenebro - Altavista",
      "08": "Dehesa - El Soto",
    },
  ],
  "009-131": [
    "San Lorenzo de El Escorial",
    {
      "01": "Abantos - Carmelitas",
      "02": "Centro - Casco Histórico",
      "03": "La Pizarra",
      "04": "Zaburdón - Monte Escorial",
    },
  ],
  "010-068": "Guadarrama",
  "011-038": "Cercedilla",
  "011-087": "Los Molinos",
  "011-093": "Navacerrada",
  "012-044": "Colmenarejo",
  "013-072": "Hoyo de Manzanares",
  "014-018": "Becerril de la Sierra",
  "014-046": "Collado Mediano",
  "015-090": [
    "Moralzarzal",
    {
      "01": "Zona Iglesia - Estación",
      "02": "Zona Polideportivo Colonia",
      "03": "Zona Los Lagos",
      "04": "Zona Centro",
      "05": "Zona Colegios",
    },
  ],
  "016-177": [
    "Villanueva del Pardillo",
    {
      "01": "Centro",
      "02": "Ibiza - San Pedro",
      "03": "Las Vegas - Santa María",
      "04": "Los Llanos - Valle Pardo",
    },
  ],
  "017-160": [
    "Valdemorillo",
    {
      "01": "Valdemorillo pueblo",
      "02": "Mojadillas - Parque de las Infantas - El Paraiso",
      "03": "Pino Alto - Navarredonda",
      "04": "Cerro Alarcón",
    },
  ],
  "018-023": "El Boalo",
  "018-612": "Cerceda",
  "018-681": "Mataelpino",
  "019-054": [
    "El Escorial",
    {
      "05": "Centro",
      "06": "Jardín de los Reyes - Parque Real",
      "07": "Las Zorreras - Monte Encinar",
      "08": "Navalquejigo - Los Arroyos",
      "09": "Pinosol - El Alcor - Peralejo",
    },
  ],
  "020-176": [
    "Villanueva de la Cañada",
    {
      "01": "Villanueva de la Cañada",
      "02": "Villafranca del Castillo",
      "03": "Raya del Palancar - Guadamonte",
    },
  ],
  "021-010": "Alpedrete",
};
