/**
 * Madrid by district: `id|name|share of the city's supply`, and indented below it the barrios:
 * `id|name|latitude|longitude|asking price in €/m²`, a level of 2024.
 */
export const MADRID = `
01|Centro|13
 001|Palacio|40.4154|-3.7140|6050
 002|Lavapiés-Embajadores|40.4092|-3.7025|5050
 003|Huertas-Cortes|40.4149|-3.6970|6350
 004|Chueca-Justicia|40.4237|-3.6967|7450
 005|Malasaña-Universidad|40.4257|-3.7071|6000
 006|Sol|40.4173|-3.7046|6150
02|Arganzuela|6
 001|Imperial|40.4062|-3.7183|5050
 002|Acacias|40.4010|-3.7072|5100
 003|Chopera|40.3948|-3.6990|4700
 004|Legazpi|40.3889|-3.6871|5000
 005|Delicias|40.3969|-3.6864|5050
 006|Palos de la Frontera|40.4038|-3.6923|5300
03|Retiro|5
 001|Pacífico|40.4042|-3.6782|5050
 002|Adelfas|40.4011|-3.6710|4950
 003|Estrella|40.4141|-3.6656|5500
 004|Ibiza|40.4189|-3.6744|6600
 005|Jerónimos|40.4138|-3.6853|8700
 006|Niño Jesús|40.4116|-3.6735|6300
04|Barrio de Salamanca|11
 001|Recoletos|40.4246|-3.6858|11400
 002|Goya|40.4251|-3.6744|7900
 003|Fuente del Berro|40.4248|-3.6638|5600
 004|Guindalera|40.4363|-3.6666|5900
 005|Lista|40.4320|-3.6758|7700
 006|Castellana|40.4336|-3.6843|10300
05|Chamartín|6
 001|El Viso|40.4449|-3.6847|8200
 002|Prosperidad|40.4442|-3.6693|5800
 003|Ciudad Jardín|40.4483|-3.6730|6300
 004|Bernabéu-Hispanoamérica|40.4553|-3.6771|7000
 005|Nueva España|40.4627|-3.6782|7600
 006|Castilla|40.4744|-3.6798|5600
06|Tetuán|6
 001|Bellas Vistas|40.4525|-3.7077|4400
 002|Cuatro Caminos|40.4515|-3.6970|5700
 003|Cuzco-Castillejos|40.4604|-3.6941|6400
 004|Ventilla-Almenara|40.4707|-3.6944|4700
 005|Valdeacederas|40.4671|-3.7042|4100
 006|Berruguete|40.4596|-3.7049|4000
07|Chamberí|7
 001|Gaztambide|40.4350|-3.7146|6600
 002|Arapiles|40.4344|-3.7080|6500
 003|Trafalgar|40.4329|-3.7011|7000
 004|Almagro|40.4328|-3.6935|8900
 005|Nuevos Ministerios-Ríos Rosas|40.4424|-3.6977|6600
 006|Vallehermoso|40.4429|-3.7113|6200
08|Fuencarral|6
 001|El Pardo|40.5525|-3.7745|3600
 002|Fuentelarreina|40.4824|-3.7410|5200
 003|Peñagrande|40.4788|-3.7258|4400
 004|Pilar|40.4772|-3.7096|3900
 005|La Paz|40.4812|-3.6967|4800
 006|Tres Olivos - Valverde|40.4947|-3.6871|4300
 007|Mirasierra|40.4938|-3.7102|5300
 008|Montecarmelo|40.5313|-3.7018|4900
 009|Las Tablas|40.5056|-3.6701|4800
 010|Arroyo del Fresno|40.4908|-3.7246|4900
09|Moncloa|5
 001|Casa de Campo|40.4236|-3.7530|4300
 002|Argüelles|40.4283|-3.7181|6300
 003|Ciudad Universitaria|40.4560|-3.7384|6100
 004|Valdezarza|40.4653|-3.7173|4200
 005|Valdemarín|40.4681|-3.7790|5600
 006|El Plantío|40.4698|-3.8208|5500
 007|Aravaca|40.4547|-3.7793|5300
10|Latina|5
 001|Los Cármenes|40.4015|-3.7359|3200
 002|Puerta del Ángel|40.4098|-3.7317|3700
 003|Lucero|40.4023|-3.7504|2800
 004|Aluche|40.3919|-3.7567|2950
 005|Campamento|40.3851|-3.8034|3100
 006|Cuatro Vientos|40.3689|-3.7866|3000
 007|Águilas|40.3818|-3.7711|2900
11|Carabanchel|6
 001|Comillas|40.3935|-3.7120|3400
 002|Opañel|40.3902|-3.7218|3100
 003|San Isidro|40.3966|-3.7284|3200
 004|Vista Alegre|40.3844|-3.7457|2700
 005|Puerta Bonita|40.3797|-3.7391|2600
 006|Buena Vista|40.3706|-3.7533|2900
 007|Abrantes|40.3789|-3.7262|2450
 008|Pau de Carabanchel|40.3658|-3.7467|3300
12|Usera|4
 001|Orcasitas|40.3686|-3.7124|2400
 002|12 de Octubre-Orcasur|40.3721|-3.6982|2350
 003|San Fermín|40.3706|-3.6890|2700
 004|Almendrales|40.3836|-3.6993|2700
 005|Moscardó|40.3890|-3.7068|2900
 006|Zofío|40.3793|-3.7153|2550
 007|Pradolongo|40.3781|-3.7072|2600
13|Puente de Vallecas|6
 001|Entrevías|40.3747|-3.6731|2200
 002|San Diego|40.3900|-3.6679|2350
 003|Palomeras Bajas|40.3847|-3.6588|2500
 004|Palomeras sureste|40.3853|-3.6372|2900
 005|Portazgo|40.3906|-3.6482|2400
 006|Numancia|40.3995|-3.6586|2800
14|Moratalaz|2
 001|Pavones|40.3985|-3.6322|3100
 002|Horcajo|40.4085|-3.6269|3700
 003|Marroquina|40.4107|-3.6406|3500
 004|Media Legua|40.4119|-3.6568|3300
 005|Fontarrón|40.4014|-3.6467|2900
 006|Vinateros|40.4052|-3.6425|3000
15|Ciudad Lineal|6
 001|Ventas|40.4225|-3.6474|3400
 002|Pueblo Nuevo|40.4263|-3.6354|3300
 003|Quintana|40.4370|-3.6450|4100
 004|Concepción|40.4393|-3.6492|4300
 005|San Pascual|40.4428|-3.6535|4600
 006|San Juan Bautista|40.4507|-3.6564|5000
 007|Colina|40.4581|-3.6603|5100
 008|Atalaya|40.4643|-3.6650|5000
 009|Costillares|40.4766|-3.6686|4900
16|Hortaleza|5
 001|Palomas|40.4526|-3.6158|4400
 002|Conde Orgaz-Piovera|40.4557|-3.6351|5600
 003|Canillas|40.4638|-3.6437|4100
 004|Pinar del Rey|40.4725|-3.6470|4200
 005|Apóstol Santiago|40.4764|-3.6594|4500
 006|Valdebebas - Valdefuentes|40.4863|-3.6217|5300
 007|Virgen del Cortijo - Manoteras|40.4872|-3.6667|4600
 008|Sanchinarro|40.4935|-3.6547|5000
17|Villaverde|3
 001|Villaverde Alto|40.3413|-3.7088|2150
 002|San Cristóbal|40.3410|-3.6882|1900
 003|Butarque|40.3371|-3.6763|2600
 004|Los Rosales|40.3557|-3.6885|2350
 005|Los Ángeles|40.3558|-3.6992|2300
18|Villa de Vallecas|3
 001|Casco Histórico de Vallecas|40.3763|-3.6213|2800
 002|Santa Eugenia|40.3834|-3.6114|2900
 003|Ensanche de Vallecas - La Gavia|40.3477|-3.6157|3300
19|Vicálvaro|3
 001|Casco Histórico de Vicálvaro|40.4033|-3.6070|2800
 002|Ambroz|40.4090|-3.6071|2700
 003|Valdebernardo - Valderrivas|40.3971|-3.6146|3500
 004|El Cañaveral|40.3916|-3.5644|3400
 005|Los Berrocales|40.3790|-3.5760|3500
 006|Los Cerros|40.4020|-3.5500|3400
 007|Los Ahijones|40.3900|-3.5800|3400
20|San Blas|4
 001|Simancas|40.4353|-3.6251|3200
 002|Hellín|40.4309|-3.6169|2900
 003|Amposta|40.4262|-3.6220|2900
 004|Arcos|40.4212|-3.6176|2950
 005|Rosas|40.4274|-3.5942|3600
 006|Rejas|40.4451|-3.5708|3700
 007|Canillejas|40.4431|-3.6104|3300
 008|Salvador|40.4453|-3.6309|3800
21|Barajas|2
 001|Alameda de Osuna|40.4565|-3.5916|4100
 002|Aeropuerto|40.4788|-3.5635|3300
 003|Casco Histórico de Barajas|40.4741|-3.5789|3600
 004|Timón|40.4743|-3.5916|3900
 005|Campo de las Naciones-Corralejos|40.4642|-3.6071|4600
`;
