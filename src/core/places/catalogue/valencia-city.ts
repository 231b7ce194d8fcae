import type { PlaceTree } from "./place-tree.ts";

export const VALENCIA_CITY: PlaceTree = {
  "01": ["Ciutat Vella", "La Seu | La Xerea | El Carme | El Pilar | El Mercat | Sant Francesc"],
  "02": ["L'Eixample", "Russafa | El Pla del Remei | Gran Vía"],
  "03": ["Extramurs", "El Botànic | La Roqueta | La Petxina | Arrancapins"],
  "04": ["Campanar", "Campanar | Les Tendetes | El Calvari | Sant Pau | Beniferri | Nou Campanar"],
  "05": ["La Saïdia", "Marxalenes | Morvedre | Trinitat | Tormos | Sant Antoni"],
  "06": ["El Pla del Real", "Exposició | Mestalla | Jaume Roig | Ciutat Universitària"],
  "07": ["L'Olivereta", "Nou Moles | Soternes | Tres Forques | La Fontsanta | La Llum"],
  "08": ["Patraix", "Patraix | Sant Isidre | Vara de Quart | Safranar | Barrio de Favara"],
  "09": ["Jesús", "La Raiosa | L'Hort de Senabre | La Creu Coberta | Sant Marcellí | Camí Reial"],
  "10": [
    "Quatre Carreres",
    "Mont-Olivet | En Corts | Malilla | Fonteta de Sant Lluìs | Na Rovella | La Punta | Ciutat de les Arts i de les Ciencies",
  ],
  "11": [
    "Poblats Marítims",
    "El Grau | El Cabanyal-El Canyamelar | Playa de la Malvarrosa | Beteró | Natzaret",
  ],
  "12": ["Camins al Grau", "Aiora | Albors | La Creu del Grau | Camí Fondo | Penya-Roja"],
  "13": ["Algirós", "L'Illa Perduda | Ciutat Jardí | L'Amistat | La Vega Baixa | La Carrasca"],
  "14": ["Benimaclet", "Benimaclet | Camí de Vera"],
  "15": ["Rascanya", "Els Orriols | Torrefiel | Sant Llorenç"],
  "16": ["Benicalap", "Benicalap | Ciutat Fallera | Nou Benicalap"],
};
