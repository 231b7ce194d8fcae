/** The colours of the map in dark mode. Amber is reserved for finds. */
export const NIGHT = {
  /** Around the city. */
  land: "#080d18",
  /** Zones get slightly different colours. */
  roofs: ["#121b2f", "#141e34", "#111a2c", "#162037"],
  searchedRoofs: ["#1c294a", "#1f2d50", "#1a2645", "#213055"],
  /** The border between two zones. */
  street: "rgba(126, 152, 208, 0.36)",
  outline: "#b9cbf2",
  outlineGlow: "rgba(140, 170, 240, 0.22)",
  window: "#ffc04d",
  keptWindow: "#fff1c9",
  /** Red, green and blue, because it fades. */
  glow: "245, 165, 36",
  ember: "#8a4a35",
  /** If there are no streets to draw. */
  grid: "rgba(126, 152, 208, 0.12)",
  label: "#c3cfe8",
  labelEdge: "rgba(8, 13, 24, 0.85)",
  place: "#eaeff9",
  chosen: "#eaeff9",
  /** By price, from the cheapest fifth to the most expensive. */
  prices: ["#7d9dd3", "#5a80c3", "#3f67b0", "#2c5197", "#1e3e7c"],
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

/** In light mode. */
export const DUSK: Palette = {
  land: "#7884a6",
  roofs: ["#5a678c", "#5f6c92", "#566387", "#637198"],
  searchedRoofs: ["#43517c", "#465580", "#404d77", "#4a5986"],
  street: "rgba(226, 232, 246, 0.6)",
  outline: "#ffffff",
  outlineGlow: "rgba(255, 255, 255, 0.35)",
  window: "#ffc861",
  keptWindow: "#fff6dd",
  glow: "255, 176, 46",
  ember: "#3b2b35",
  grid: "rgba(226, 232, 246, 0.3)",
  label: "#ffffff",
  labelEdge: "rgba(52, 63, 98, 0.8)",
  place: "#ffffff",
  chosen: "#ffffff",
  prices: ["#a9c4ee", "#7f9fd8", "#5a7cbd", "#3d5c9f", "#29437d"],
  tiles: {
    ground: "#5f6c92",
    water: "#48638f",
    green: "#556f88",
    building: "#56638a",
    road: "#8290b3",
    mainRoad: "#9fabc9",
    rail: "#77859f",
    name: "#e3e8f5",
    station: "#cfe2ff",
    zone: "rgba(226, 232, 246, 0.2)",
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
