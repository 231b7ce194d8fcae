/**
 * València by district: `id|name|share of the city's supply`, and indented below it the barrios:
 * `id|name|latitude|longitude|asking price in €/m²`, a level of 2024.
 */
export const VALENCIA = `
01|Ciutat Vella|8
 001|La Seu|39.4770|-0.3746|3250
 002|La Xerea|39.4745|-0.3704|3450
 003|El Carme|39.4794|-0.3792|3600
 004|El Pilar|39.4732|-0.3823|4050
 005|El Mercat|39.4738|-0.3788|4150
 006|Sant Francesc|39.4701|-0.3761|3250
02|L'Eixample|7
 001|Russafa|39.4613|-0.3739|4350
 002|El Pla del Remei|39.4687|-0.3694|3550
 003|Gran Vía|39.4654|-0.3661|4200
03|Extramurs|7
 001|El Botànic|39.4771|-0.3858|3150
 002|La Roqueta|39.4666|-0.3803|3250
 003|La Petxina|39.4739|-0.3913|3450
 004|Arrancapins|39.4642|-0.3844|3100
04|Campanar|5
 001|Campanar|39.4815|-0.3945|2550
 002|Les Tendetes|39.4834|-0.3860|3100
 003|El Calvari|39.4868|-0.3901|2700
 004|Sant Pau|39.4891|-0.4118|2950
 005|Beniferri|39.4962|-0.4040|2900
 006|Nou Campanar|39.4785|-0.4056|3100
05|La Saïdia|5
 001|Marxalenes|39.4861|-0.3831|2550
 002|Morvedre|39.4845|-0.3748|2200
 003|Trinitat|39.4822|-0.3686|2200
 004|Tormos|39.4893|-0.3795|2550
 005|Sant Antoni|39.4886|-0.3731|2800
06|El Pla del Real|4
 001|Exposició|39.4763|-0.3633|3350
 002|Mestalla|39.4706|-0.3594|3700
 003|Jaume Roig|39.4817|-0.3631|3900
 004|Ciutat Universitària|39.4785|-0.3585|3500
07|L'Olivereta|5
 001|Nou Moles|39.4717|-0.3988|2100
 002|Soternes|39.4712|-0.4094|2150
 003|Tres Forques|39.4664|-0.4009|2450
 004|La Fontsanta|39.4661|-0.4087|2100
 005|La Llum|39.4681|-0.4131|2450
08|Patraix|6
 001|Patraix|39.4627|-0.3919|2300
 002|Sant Isidre|39.4526|-0.4048|2150
 003|Vara de Quart|39.4592|-0.4072|2500
 004|Safranar|39.4581|-0.3973|2100
 005|Barrio de Favara|39.4537|-0.3948|2250
09|Jesús|6
 001|La Raiosa|39.4575|-0.3860|2400
 002|L'Hort de Senabre|39.4515|-0.3908|2000
 003|La Creu Coberta|39.4507|-0.3854|2400
 004|Sant Marcellí|39.4450|-0.3901|2150
 005|Camí Reial|39.4445|-0.3958|2000
10|Quatre Carreres|8
 001|Mont-Olivet|39.4594|-0.3634|2900
 002|En Corts|39.4560|-0.3712|2900
 003|Malilla|39.4443|-0.3772|2850
 004|Fonteta de Sant Lluìs|39.4437|-0.3658|2900
 005|Na Rovella|39.4529|-0.3660|2900
 006|La Punta|39.4411|-0.3494|3000
 007|Ciutat de les Arts i de les Ciencies|39.4536|-0.3555|2950
11|Poblats Marítims|9
 001|El Grau|39.4418|-0.3178|2400
 002|El Cabanyal-El Canyamelar|39.4687|-0.3282|2300
 003|Playa de la Malvarrosa|39.4798|-0.3278|2600
 004|Beteró|39.4720|-0.3361|2450
 005|Natzaret|39.4467|-0.3325|2500
12|Camins al Grau|7
 001|Aiora|39.4658|-0.3434|2900
 002|Albors|39.4685|-0.3528|2750
 003|La Creu del Grau|39.4617|-0.3451|2450
 004|Camí Fondo|39.4648|-0.3532|3000
 005|Penya-Roja|39.4593|-0.3501|2650
13|Algirós|5
 001|L'Illa Perduda|39.4688|-0.3397|3150
 002|Ciutat Jardí|39.4721|-0.3451|2950
 003|L'Amistat|39.4727|-0.3511|2600
 004|La Vega Baixa|39.4763|-0.3500|3050
 005|La Carrasca|39.4804|-0.3411|2750
14|Benimaclet|3
 001|Benimaclet|39.4844|-0.3595|2200
 002|Camí de Vera|39.4873|-0.3525|2600
15|Rascanya|6
 001|Els Orriols|39.4944|-0.3700|1800
 002|Torrefiel|39.4954|-0.3769|1900
 003|Sant Llorenç|39.4963|-0.3629|1750
16|Benicalap|5
 001|Benicalap|39.4914|-0.3933|2050
 002|Ciutat Fallera|39.4995|-0.3951|2000
 003|Nou Benicalap|39.4961|-0.3867|1900
`;
