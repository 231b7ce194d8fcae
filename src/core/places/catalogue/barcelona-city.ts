import type { PlaceTree } from "./place-tree.ts";

export const BARCELONA_CITY: PlaceTree = {
  "01": ["Ciutat Vella", "La Barceloneta | Sant Pere - Santa Caterina i la Ribera | El Gòtic | El Raval"],
  "02": [
    "Eixample",
    "La Nova Esquerra de l'Eixample | L'Antiga Esquerra de l'Eixample | Sant Antoni | La Dreta de l'Eixample | La Sagrada Família | El Fort Pienc",
  ],
  "03": [
    "Sants-Montjuïc",
    "Sants - Badal | Sants | La Bordeta | Hostafrancs | La Marina del Port | La Font de la Guatlla | El Poble Sec - Parc de Montjuïc | La Marina del Prat Vermell | Zona Franca - Port",
  ],
  "04": ["Les Corts", "Les Corts | La Maternitat i Sant Ramon | Pedralbes"],
  "05": [
    "Sarrià-Sant Gervasi",
    "Vallvidrera - El Tibidabo i les Planes | Sarrià | Sant Gervasi - La Bonanova | Les Tres Torres | Sant Gervasi - Galvany | El Putxet i el Farró",
  ],
  "06": [
    "Gràcia",
    "El Camp d'En Grassot i Gràcia Nova | Vila de Gràcia | La Salut | El Coll | Vallcarca i els Penitents",
  ],
  "07": [
    "Horta Guinardó",
    "Sant Genís Dels Agudells - Montbau | Horta | La Teixonera | La Vall d'Hebron - La Clota | El Guinardó | El Baix Guinardó | El Carmel | La Font d'En Fargues | Can Baró",
  ],
  "08": [
    "Nou Barris",
    "Ciutat Meridiana - Torre Baró - Vallbona | Les Roquetes | La Trinitat Nova | La Guineueta | Verdun | La Prosperitat | Can Peguera - El Turó de la Peira | Porta | Vilapicina i la Torre Llobeta | Canyelles",
  ],
  "09": [
    "Sant Andreu",
    "La Trinitat Vella | Sant Andreu | Baró de Viver | El Bon Pastor | El Congrés i els Indians | Navas | La Sagrera",
  ],
  "10": [
    "Sant Martí",
    "El Camp de l'Arpa del Clot | El Clot | La Verneda i la Pau | El Besòs | El Parc i la Llacuna del Poblenou | La Vila Olímpica del Poblenou | Provençals del Poblenou | El Poblenou | Diagonal Mar i el Front Marítim del Poblenou | Sant Martí de Provençals",
  ],
};
