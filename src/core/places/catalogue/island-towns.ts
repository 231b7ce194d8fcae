import { ISLANDS, type Island } from "./islands.ts";

/** The slugs of the towns of each island. The island without a list has all other towns of its province. */
const TOWNS: Readonly<Record<string, string>> = {
  menorca:
    "mao mao-mahon mahon ciutadella-de-menorca ciutadella alaior ferreries es-castell es-mercadal es-migjorn-gran sant-lluis",
  ibiza:
    "eivissa ibiza sant-antoni-de-portmany san-antonio-abad sant-joan-de-labritja san-juan-bautista sant-josep-de-sa-talaia san-jose santa-eulalia-del-rio santa-eularia-des-riu",
  lanzarote: "arrecife haria san-bartolome teguise tias tinajo yaiza",
  fuerteventura: "antigua betancuria la-oliva pajara puerto-del-rosario tuineje",
  "la-palma":
    "barlovento brena-alta brena-baja fuencaliente-de-la-palma fuencaliente garafia los-llanos-de-aridane el-paso puntagorda puntallana san-andres-y-sauces santa-cruz-de-la-palma tazacorte tijarafe villa-de-mazo",
  "la-gomera": "agulo alajero hermigua san-sebastian-de-la-gomera valle-gran-rey vallehermoso",
  "el-hierro": "la-frontera frontera el-pinar-de-el-hierro el-pinar valverde",
};

/** A town and an island of its own for the portal. */
const ALONE = "formentera";

export function islandOfTown(provinceId: string, townSlug: string): Island | undefined {
  if (townSlug === ALONE) return undefined;
  const own = ISLANDS.filter((island) => island.provinceId === provinceId);
  return (
    own.find(({ slug }) => TOWNS[slug]?.split(" ").includes(townSlug)) ??
    own.find(({ slug }) => TOWNS[slug] === undefined)
  );
}
