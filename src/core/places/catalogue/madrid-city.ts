import type { PlaceTree } from "./place-tree.ts";

export const MADRID_CITY: PlaceTree = {
  "01": [
    "Centro",
    "Palacio | Lavapiés-Embajadores | Huertas-Cortes | Chueca-Justicia | Malasaña-Universidad | Sol",
  ],
  "02": ["Arganzuela", "Imperial | Acacias | Chopera | Legazpi | Delicias | Palos de la Frontera"],
  "03": ["Retiro", "Pacífico | Adelfas | Estrella | Ibiza | Jerónimos | Niño Jesús"],
  "04": ["Barrio de Salamanca", "Recoletos | Goya | Fuente del Berro | Guindalera | Lista | Castellana"],
  "05": [
    "Chamartín",
    "El Viso | Prosperidad | Ciudad Jardín | Bernabéu-Hispanoamérica | Nueva España | Castilla",
  ],
  "06": [
    "Tetuán",
    "Bellas Vistas | Cuatro Caminos | Cuzco-Castillejos | Ventilla-Almenara | Valdeacederas | Berruguete",
  ],
  "07": [
    "Chamberí",
    "Gaztambide | Arapiles | Trafalgar | Almagro | Nuevos Ministerios-Ríos Rosas | Vallehermoso",
  ],
  "08": [
    "Fuencarral",
    "El Pardo | Fuentelarreina | Peñagrande | Pilar | La Paz | Tres Olivos - Valverde | Mirasierra | Montecarmelo | Las Tablas | Arroyo del Fresno",
  ],
  "09": [
    "Moncloa",
    "Casa de Campo | Argüelles | Ciudad Universitaria | Valdezarza | Valdemarín | El Plantío | Aravaca",
  ],
  "10": [
    "Latina",
    "Los Cármenes | Puerta del Ángel | Lucero | Aluche | Campamento | Cuatro Vientos | Águilas",
  ],
  "11": [
    "Carabanchel",
    "Comillas | Opañel | San Isidro | Vista Alegre | Puerta Bonita | Buena Vista | Abrantes | Pau de Carabanchel",
  ],
  "12": [
    "Usera",
    "Orcasitas | 12 de Octubre-Orcasur | San Fermín | Almendrales | Moscardó | Zofío | Pradolongo",
  ],
  "13": [
    "Puente de Vallecas",
    "Entrevías | San Diego | Palomeras Bajas | Palomeras sureste | Portazgo | Numancia",
  ],
  "14": ["Moratalaz", "Pavones | Horcajo | Marroquina | Media Legua | Fontarrón | Vinateros"],
  "15": [
    "Ciudad Lineal",
    "Ventas | Pueblo Nuevo | Quintana | Concepción | San Pascual | San Juan Bautista | Colina | Atalaya | Costillares",
  ],
  "16": [
    "Hortaleza",
    "Palomas | Conde Orgaz-Piovera | Canillas | Pinar del Rey | Apóstol Santiago | Valdebebas - Valdefuentes | Virgen del Cortijo - Manoteras | Sanchinarro",
  ],
  "17": ["Villaverde", "Villaverde Alto | San Cristóbal | Butarque | Los Rosales | Los Ángeles"],
  "18": [
    "Villa de Vallecas",
    "Casco Histórico de Vallecas | Santa Eugenia | Ensanche de Vallecas - La Gavia",
  ],
  "19": [
    "Vicálvaro",
    "Casco Histórico de Vicálvaro | Ambroz | Valdebernardo - Valderrivas | El Cañaveral | Los Berrocales | Los Cerros | Los Ahijones",
  ],
  "20": ["San Blas", "Simancas | Hellín | Amposta | Arcos | Rosas | Rejas | Canillejas | Salvador"],
  "21": [
    "Barajas",
    "Alameda de Osuna | Aeropuerto | Casco Histórico de Barajas | Timón | Campo de las Naciones-Corralejos",
  ],
};
