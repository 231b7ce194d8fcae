/** The colours of the map in dark mode. Amber is reserved for finds. */
export const NIGHT = {
  sea: "#060a14",
  /** Along a coast, several times over each other. */
  shallow: "rgba(96, 128, 200, 0.05)",
  coast: "rgba(126, 152, 208, 0.4)",
  /** Other countries. */
  abroad: "#0a101d",
  /** Spain, as far as nothing is searched there. */
  land: "#0d1526",
  provinceBorder: "rgba(126, 152, 208, 0.3)",
  townBorder: "rgba(126, 152, 208, 0.16)",
  /** Names on the ground. */
  baseLabel: "#8b9abd",
  /** Zones get slightly different colours. */
  roofs: ["#121b2f", "#141e34", "#111a2c", "#162037"],
  searchedRoofs: ["#1f2d52", "#223259", "#1c294c", "#25355f"],
  /** Around the searched area, which rises above its surroundings. */
  shade: "rgba(0, 0, 0, 0.3)",
  /** The border between two zones. */
  street: "rgba(126, 152, 208, 0.34)",
  outline: "#b9cbf2",
  outlineGlow: "rgba(140, 170, 240, 0.22)",
  window: "#ffc04d",
  keptWindow: "#fff1c9",
  /** What is written on a lit window. */
  onWindow: "#182135",
  onKept: "#182135",
  windowEdge: "rgba(8, 13, 24, 0.55)",
  /** Red, green and blue, because it fades. */
  glow: "245, 165, 36",
  ember: "#8a4a35",
  onEmber: "#ffe3d6",
  label: "#c3cfe8",
  labelEdge: "rgba(8, 13, 24, 0.85)",
  place: "#eaeff9",
  chosen: "#eaeff9",
  /** By price, from the cheapest fifth to the most expensive. */
  prices: ["#7d9dd3", "#5a80c3", "#3f67b0", "#2c5197", "#1e3e7c"],
  onPrices: "#ffffff",
  onPricesEdge: "rgba(8, 13, 24, 0.85)",
  /** Of the operator's tiles. */
  tiles: {
    ground: "#0e1628",
    water: "#0a2036",
    green: "#10222a",
    building: "#131d33",
    road: "#2a3858",
    mainRoad: "#3a4b74",
    rail: "#33415f",
    name: "#93a3c6",
    station: "#7fb0ea",
    /** The border between two zones, which must not look like a street. */
    zone: "rgba(126, 152, 208, 0.16)",
  },
};

export type Palette = typeof NIGHT;

/** In light mode: the last light lies on what is searched, and the rest is in the blue of the evening. */
export const DUSK: Palette = {
  sea: "#7f95bd",
  shallow: "rgba(214, 226, 246, 0.13)",
  coast: "rgba(58, 74, 118, 0.5)",
  abroad: "#b3bacf",
  land: "#c3c8da",
  provinceBorder: "rgba(58, 74, 118, 0.4)",
  townBorder: "rgba(58, 74, 118, 0.18)",
  baseLabel: "#47557c",
  roofs: ["#d0d4e2", "#d5d8e5", "#cbd0df", "#d9dce8"],
  searchedRoofs: ["#fbf3e6", "#fdf6ec", "#f8eede", "#fffaf2"],
  shade: "rgba(40, 52, 92, 0.16)",
  street: "rgba(86, 100, 142, 0.38)",
  outline: "#2c3a63",
  outlineGlow: "rgba(255, 240, 214, 0.55)",
  window: "#f5a524",
  keptWindow: "#182135",
  onWindow: "#182135",
  onKept: "#ffd27a",
  windowEdge: "rgba(255, 255, 255, 0.9)",
  glow: "245, 165, 36",
  ember: "#8c6f6a",
  onEmber: "#ffffff",
  label: "#2b3758",
  labelEdge: "rgba(255, 252, 246, 0.85)",
  place: "#182135",
  chosen: "#182135",
  prices: ["#c3d5f3", "#98b6e6", "#6a8fd0", "#436bb0", "#274a8a"],
  onPrices: "#182135",
  onPricesEdge: "rgba(255, 255, 255, 0.85)",
  tiles: {
    ground: "#dcdfe9",
    water: "#a9bcdc",
    green: "#cbdccf",
    building: "#cfd3e0",
    road: "#f6f7fb",
    mainRoad: "#ffffff",
    rail: "#b3b9cb",
    name: "#4a5678",
    station: "#2f62a6",
    zone: "rgba(86, 100, 142, 0.22)",
  },
};

/** How a lit window fades: the distance from it, as a share of its reach, and the opacity there. */
export const GLOW = [
  [0, 0.75],
  [0.25, 0.3],
  [0.6, 0.08],
  [1, 0],
] as const;

/** Colours vary slightly, but a zone always has the same one. */
export function roofOf(placeId: string, roofs: readonly string[]): string {
  let sum = 0;
  for (const letter of placeId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return roofs[sum % roofs.length] ?? "";
}
