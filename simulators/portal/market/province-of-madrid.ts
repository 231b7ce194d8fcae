/** Municipalities around the city: `id below the province|name|latitude|longitude|asking price in €/m²|share`. */
export const PROVINCE_OF_MADRID = `
01-001-903|Tres Cantos|40.6009|-3.7081|3500|4
01-002-006|Alcobendas|40.5475|-3.6420|3600|6
01-003-134|San Sebastián de los Reyes|40.5474|-3.6263|3300|5
01-007-502|La Moraleja|40.5150|-3.6350|5200|3
01-009-045|Colmenar Viejo|40.6590|-3.7676|2300|3
01-012-009|Algete|40.5986|-3.4994|2000|1
01-016-104|Paracuellos de Jarama|40.5036|-3.5276|2500|2
02-001-181|Villaviciosa de Odón|40.3570|-3.9000|2600|2
02-002-022|Boadilla del Monte|40.4050|-3.8780|3300|5
02-003-115|Pozuelo de Alarcón|40.4350|-3.8140|4300|8
02-004-080|Majadahonda|40.4730|-3.8720|3900|5
02-005-127|Las Rozas de Madrid|40.4930|-3.8740|3500|7
02-006-152|Torrelodones|40.5760|-3.9290|2900|2
02-007-061|Galapagar|40.5780|-4.0030|2000|2
02-008-047|Collado Villalba|40.6350|-4.0050|2000|3
02-009-131|San Lorenzo de El Escorial|40.5910|-4.1470|2100|2
02-010-068|Guadarrama|40.6730|-4.0890|1700|1
02-016-177|Villanueva del Pardillo|40.4900|-3.9600|2700|1
02-020-176|Villanueva de la Cañada|40.4470|-4.0030|2600|1
03-005-026|Brunete|40.4040|-3.9990|2000|1
03-007-096|Navalcarnero|40.2880|-4.0130|1600|2
04-001-092|Móstoles|40.3220|-3.8650|2200|8
04-002-007|Alcorcón|40.3490|-3.8240|2600|7
04-003-074|Leganés|40.3280|-3.7640|2400|7
04-004-065|Getafe|40.3080|-3.7320|2600|7
04-005-113|Pinto|40.2410|-3.6990|2200|2
04-006-058|Fuenlabrada|40.2840|-3.7940|2200|6
04-007-106|Parla|40.2370|-3.7740|1900|4
04-009-161|Valdemoro|40.1910|-3.6740|2000|3
04-011-015|Arroyomolinos|40.2700|-3.9100|2100|2
05-001-123|Rivas-Vaciamadrid|40.3270|-3.5180|2900|5
05-002-014|Arganda|40.3010|-3.4380|1800|2
05-004-013|Aranjuez|40.0310|-3.6030|1500|2
06-001-130|San Fernando de Henares|40.4240|-3.5350|2500|2
06-002-005|Alcalá de Henares|40.4820|-3.3630|2300|8
06-005-148|Torrejón de Ardoz|40.4550|-3.4690|2400|6
06-006-049|Coslada|40.4240|-3.5610|2500|4
06-007-084|Mejorada del Campo|40.3970|-3.4850|1900|1
`;

export const COMARCAS_OF_MADRID = [
  "Zona norte",
  "Zona noroeste",
  "Zona suroeste",
  "Zona sur",
  "Zona sureste",
  "Corredor del Henares",
];

/** In the order of their INE numbers, 01 to 52. */
export const PROVINCES =
  "Álava|Albacete|Alicante|Almería|Ávila|Badajoz|Balears (Illes)|Barcelona|Burgos|Cáceres|Cádiz|Castellón|Ciudad Real|Córdoba|A Coruña|Cuenca|Girona|Granada|Guadalajara|Guipúzcoa|Huelva|Huesca|Jaén|León|Lleida|La Rioja|Lugo|Madrid|Málaga|Murcia|Navarra|Ourense|Asturias|Palencia|Las Palmas|Pontevedra|Salamanca|Santa Cruz de Tenerife|Cantabria|Segovia|Sevilla|Soria|Tarragona|Teruel|Toledo|València|Valladolid|Vizcaya|Zamora|Zaragoza|Ceuta|Melilla".split(
    "|",
  );
