/**
 * Towns outside the catalogue by province number, in their official spelling: the largest, and those whose spelling
 * cannot be derived from the path. The list is not complete.
 */
export const TOWNS: Readonly<Record<string, string>> = {
  "01": "Vitoria-Gasteiz | Llodio | Amurrio",
  "02": "Albacete | Hellín | Villarrobledo | Almansa | La Roda",
  "03": "Alicante / Alacant | Elche / Elx | Jávea/Xàbia | Dénia | Torrevieja | Orihuela | Benidorm | Alcoy / Alcoi | Elda | San Vicente del Raspeig / Sant Vicent del Raspeig | Petrer | Villena | Santa Pola | Villajoyosa / La Vila Joiosa | Calpe / Calp | Altea | La Nucia | Moraira | Teulada | Benissa | Finestrat | El Campello | Mutxamel | Pilar de la Horadada | Guardamar del Segura | Benitachell / El Poble Nou de Benitatxell | L'Alfàs del Pi | Pedreguer | Ondara | Novelda | Ibi | Crevillent | Rojales",
  "04": "Almería | Roquetas de Mar | El Ejido | Níjar | Vícar | Adra | Mojácar | Vera | Huércal de Almería",
  "05": "Ávila | Arenas de San Pedro | Arévalo",
  "06": "Badajoz | Mérida | Don Benito | Almendralejo | Villanueva de la Serena | Zafra",
  "07": "Palma de Mallorca | Calvià | Eivissa | Manacor | Marratxí | Llucmajor | Inca | Alcúdia | Felanitx | Pollença | Sóller | Santa Eulalia del Río | Ciutadella de Menorca | Maó | Sant Antoni de Portmany | Sant Josep de sa Talaia | Andratx | Santanyí | Campos",
  "08": "L'Hospitalet de Llobregat | Badalona | Terrassa | Sabadell | Mataró | Santa Coloma de Gramenet | Cornellà de Llobregat | Sant Boi de Llobregat | Sant Cugat del Vallès | Rubí | Manresa | Vilanova i la Geltrú | Castelldefels | Viladecans | El Prat de Llobregat | Granollers | Cerdanyola del Vallès | Mollet del Vallès | Gavà | Esplugues de Llobregat | Sant Feliu de Llobregat | Vic | Igualada | Sitges | El Masnou | Premià de Mar | Argentona | La Llagosta | Vilafranca del Penedès | Sant Adrià de Besòs | Sant Joan Despí | Ripollet | Barberà del Vallès | Montcada i Reixac | Calella | Pineda de Mar | Arenys de Mar | Martorell | Berga",
  "09": "Burgos | Miranda de Ebro | Aranda de Duero",
  "10": "Cáceres | Plasencia | Navalmoral de la Mata | Trujillo",
  "11": "Cádiz | Jerez de la Frontera | Algeciras | San Fernando | El Puerto de Santa María | Chiclana de la Frontera | Sanlúcar de Barrameda | La Línea de la Concepción | Puerto Real | San Roque | Rota | Tarifa | Conil de la Frontera | Barbate | Vejer de la Frontera",
  "12": "Castellón de la Plana / Castelló de la Plana | Vila-real | Burriana | Benicarló | Vinaròs | Peñíscola | Benicasim / Benicàssim | Oropesa del Mar / Orpesa | La Vall d'Uixó | Onda | Almassora",
  "13": "Ciudad Real | Puertollano | Tomelloso | Alcázar de San Juan | Valdepeñas | Manzanares",
  "14": "Córdoba | Lucena | Puente Genil | Montilla | Priego de Córdoba | Cabra",
  "15": "A Coruña | Santiago de Compostela | Ferrol | Oleiros | Arteixo | Narón | Carballo | Culleredo | Ames | Cambre | Sada | Betanzos",
  "16": "Cuenca | Tarancón",
  "17": "Girona | Figueres | Blanes | Lloret de Mar | Salt | Olot | Roses | Palafrugell | Sant Feliu de Guíxols | Palamós | L'Escala | Castelló d'Empúries | Cadaqués | Banyoles | Calonge | Platja d'Aro | Puigcerdà | Torroella de Montgrí",
  "18": "Granada | Motril | Almuñécar | Armilla | Maracena | Loja | Baza | Salobreña | Las Gabias | La Zubia",
  "19": "Guadalajara | Azuqueca de Henares",
  "20": "Donostia-San Sebastián | Irun | Errenteria | Eibar | Zarautz | Hondarribia | Arrasate / Mondragón | Hernani | Tolosa | Pasaia | Lasarte-Oria",
  "21": "Huelva | Lepe | Almonte | Isla Cristina | Ayamonte | Punta Umbría | Cartaya | Moguer",
  "22": "Huesca | Monzón | Barbastro | Jaca | Fraga | Sabiñánigo",
  "23": "Jaén | Linares | Andújar | Úbeda | Martos | Baeza",
  "24": "León | Ponferrada | San Andrés del Rabanedo | Astorga",
  "25": "Lleida | Balaguer | Mollerussa | Tàrrega | Alpicat | Alcarràs | La Seu d'Urgell | Vielha e Mijaran",
  "26": "Logroño | Calahorra | Arnedo | Haro",
  "27": "Lugo | Monforte de Lemos | Viveiro | Foz | Ribadeo",
  "29": "Málaga | Marbella | Estepona | Fuengirola | Torremolinos | Benalmádena | Mijas | Vélez-Málaga | Antequera | Ronda | Rincón de la Victoria | Nerja | Manilva | Alhaurín de la Torre | Alhaurín el Grande | Coín | Casares | Torrox | Benahavís | Cártama",
  "30": "Murcia | Cartagena | Lorca | Molina de Segura | Alcantarilla | Águilas | San Javier | Torre-Pacheco | Mazarrón | Los Alcázares | San Pedro del Pinatar | Cieza | Totana | Yecla | Jumilla",
  "31": "Pamplona / Iruña | Tudela | Barañain | Burlada | Estella-Lizarra | Zizur Mayor",
  "32": "Ourense | Verín | O Barco de Valdeorras | O Carballiño",
  "33": "Oviedo | Gijón | Avilés | Siero | Langreo | Mieres | Castrillón | Llanes | Villaviciosa | Ribadesella | Cangas de Onís",
  "34": "Palencia",
  "35": "Las Palmas de Gran Canaria | Telde | Arrecife | Santa Lucía de Tirajana | San Bartolomé de Tirajana | Puerto del Rosario | La Oliva | Arucas | Mogán | Ingenio | Teguise | Tías | Yaiza | Pájara",
  "36": "Vigo | Pontevedra | Vilagarcía de Arousa | Redondela | Cangas | Marín | O Porriño | Sanxenxo | Cambados | Baiona | Nigrán | O Grove | Moaña | Ponteareas | A Estrada | Tui",
  "37": "Salamanca | Béjar | Santa Marta de Tormes",
  "38": "Santa Cruz de Tenerife | San Cristóbal de La Laguna | Arona | Adeje | La Orotava | Los Realejos | Puerto de la Cruz | Granadilla de Abona | Candelaria | Los Llanos de Aridane | Güímar",
  "39": "Santander | Torrelavega | Castro-Urdiales | Camargo | Laredo | Santoña | Piélagos",
  "40": "Segovia | Cuéllar | El Espinar",
  "41": "Sevilla | Dos Hermanas | Alcalá de Guadaíra | Utrera | Mairena del Aljarafe | Écija | La Rinconada | Los Palacios y Villafranca | Carmona | Tomares | Lebrija | Camas | Bormujos",
  "42": "Soria",
  "43": "Tarragona | Reus | El Vendrell | Tortosa | Cambrils | Salou | Valls | Calafell | Amposta | Vila-seca | L'Ametlla de Mar | Sant Carles de la Ràpita | Torredembarra | Mont-roig del Camp",
  "44": "Teruel | Alcañiz",
  "45": "Toledo | Talavera de la Reina | Illescas | Seseña",
  "46": "Torrent | Gandia | Paterna | Sagunto / Sagunt | Puerto de Sagunto | Mislata | Burjassot | Alzira | Xirivella | Ontinyent | Manises | Aldaia | Alaquàs | Cullera | Catarroja | Xàtiva | Sueca | Oliva | Alboraya | L'Eliana | La Pobla de Vallbona | Bétera | Algemesí | Quart de Poblet | Carcaixent | Llíria | El Puig | Canet d'En Berenguer",
  "47": "Valladolid | Medina del Campo | Laguna de Duero | Arroyo de la Encomienda",
  "48": "Bilbao | Barakaldo | Getxo | Portugalete | Santurtzi | Basauri | Leioa | Durango | Galdakao | Sestao | Erandio | Bermeo | Amorebieta-Etxano | Mungia | Gernika-Lumo",
  "49": "Zamora | Benavente",
  "50": "Zaragoza | Calatayud | Utebo | Ejea de los Caballeros | Cuarte de Huerva | Tarazona",
  "51": "Ceuta",
  "52": "Melilla",
};

/** Regions that the portal treats as points of interest. */
export const REGIONS =
  "Andalucía | Aragón | Asturias | Baleares | Canarias | Cantabria | Castilla y León | Castilla-La Mancha | Cataluña | Comunidad Valenciana | Extremadura | Galicia | La Rioja | Madrid | Murcia | Navarra | País Vasco".split(
    " | ",
  );

/** Islands that the portal treats as points of interest. */
export const ISLANDS =
  "Mallorca | Menorca | Ibiza | Formentera | Tenerife | Gran Canaria | Lanzarote | Fuerteventura | La Palma | La Gomera | El Hierro".split(
    " | ",
  );
