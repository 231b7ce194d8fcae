/**
 * Barcelona by district: `id|name|share of the city's supply`, and indented below it the barrios:
 * `id|name|latitude|longitude|asking price in €/m²`, a level of 2024.
 */
export const BARCELONA = `
01|Ciutat Vella|8
 001|La Barceloneta|41.3691|2.1876|4700
 002|Sant Pere - Santa Caterina i la Ribera|41.3867|2.1835|5250
 003|El Gòtic|41.3799|2.1782|4800
 004|El Raval|41.3788|2.1706|4950
02|Eixample|14
 001|La Nova Esquerra de l'Eixample|41.3831|2.1490|6000
 002|L'Antiga Esquerra de l'Eixample|41.3894|2.1551|4950
 003|Sant Antoni|41.3785|2.1593|6250
 004|La Dreta de l'Eixample|41.3939|2.1682|6150
 005|La Sagrada Família|41.4054|2.1766|5200
 006|El Fort Pienc|41.3975|2.1815|5350
03|Sants-Montjuïc|9
 001|Sants - Badal|41.3746|2.1278|4400
 002|Sants|41.3774|2.1363|3900
 003|La Bordeta|41.3689|2.1364|4300
 004|Hostafrancs|41.3754|2.1443|3900
 005|La Marina del Port|41.3599|2.1398|3900
 006|La Font de la Guatlla|41.3697|2.1448|3700
 007|El Poble Sec - Parc de Montjuïc|41.3653|2.1582|3500
 008|La Marina del Prat Vermell|41.3517|2.1425|3600
 009|Zona Franca - Port|41.3381|2.1430|4100
04|Les Corts|5
 001|Les Corts|41.3870|2.1348|4750
 002|La Maternitat i Sant Ramon|41.3812|2.1174|5400
 003|Pedralbes|41.3913|2.1100|4900
05|Sarrià-Sant Gervasi|9
 001|Vallvidrera - El Tibidabo i les Planes|41.4190|2.0966|5400
 002|Sarrià|41.4027|2.1162|5300
 003|Sant Gervasi - La Bonanova|41.4098|2.1301|6000
 004|Les Tres Torres|41.3980|2.1298|5400
 005|Sant Gervasi - Galvany|41.3975|2.1430|6700
 006|El Putxet i el Farró|41.4069|2.1439|5850
06|Gràcia|8
 001|El Camp d'En Grassot i Gràcia Nova|41.4063|2.1650|5100
 002|Vila de Gràcia|41.4031|2.1569|5350
 003|La Salut|41.4125|2.1543|4500
 004|El Coll|41.4182|2.1478|5600
 005|Vallcarca i els Penitents|41.4163|2.1410|5450
07|Horta Guinardó|7
 001|Sant Genís Dels Agudells - Montbau|41.4317|2.1346|3250
 002|Horta|41.4403|2.1529|3500
 003|La Teixonera|41.4231|2.1465|3500
 004|La Vall d'Hebron - La Clota|41.4300|2.1492|3600
 005|El Guinardó|41.4188|2.1737|3150
 006|El Baix Guinardó|41.4117|2.1679|3350
 007|El Carmel|41.4217|2.1560|3350
 008|La Font d'En Fargues|41.4245|2.1652|3700
 009|Can Baró|41.4166|2.1623|3250
08|Nou Barris|6
 001|Ciutat Meridiana - Torre Baró - Vallbona|41.4578|2.1774|2500
 002|Les Roquetes|41.4482|2.1754|2550
 003|La Trinitat Nova|41.4506|2.1851|2550
 004|La Guineueta|41.4389|2.1689|2850
 005|Verdun|41.4428|2.1757|2450
 006|La Prosperitat|41.4427|2.1819|2400
 007|Can Peguera - El Turó de la Peira|41.4330|2.1683|2450
 008|Porta|41.4349|2.1787|2450
 009|Vilapicina i la Torre Llobeta|41.4286|2.1741|2950
 010|Canyelles|41.4452|2.1651|2650
09|Sant Andreu|7
 001|La Trinitat Vella|41.4508|2.1936|3100
 002|Sant Andreu|41.4370|2.1902|3100
 003|Baró de Viver|41.4459|2.1991|3100
 004|El Bon Pastor|41.4370|2.2018|3600
 005|El Congrés i els Indians|41.4246|2.1808|3850
 006|Navas|41.4180|2.1860|3900
 007|La Sagrera|41.4232|2.1902|3150
10|Sant Martí|12
 001|El Camp de l'Arpa del Clot|41.4120|2.1825|4100
 002|El Clot|41.4097|2.1900|4500
 003|La Verneda i la Pau|41.4240|2.2031|4700
 004|El Besòs|41.4127|2.2210|4000
 005|El Parc i la Llacuna del Poblenou|41.3984|2.1904|4200
 006|La Vila Olímpica del Poblenou|41.3900|2.1980|4400
 007|Provençals del Poblenou|41.4110|2.2026|4600
 008|El Poblenou|41.3993|2.2032|3850
 009|Diagonal Mar i el Front Marítim del Poblenou|41.4048|2.2149|4950
 010|Sant Martí de Provençals|41.4168|2.1980|4950
`;
