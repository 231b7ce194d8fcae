/** The colours of the map in dark and light mode. Amber is reserved for finds. */
export interface Palette {
  /** Around the city. */
  readonly land: string;
  /** Zones get slightly different colours. */
  readonly roofs: readonly string[];
  readonly searchedRoofs: readonly string[];
  /** The border between two zones. */
  readonly street: string;
  readonly outline: string;
  readonly outlineGlow: string;
  readonly window: string;
  readonly keptWindow: string;
  /** Red, green and blue, because it fades. */
  readonly glow: string;
  readonly ember: string;
  /** If there are no streets to draw. */
  readonly grid: string;
  readonly label: string;
  readonly labelEdge: string;
  readonly place: string;
  readonly chosen: string;
  /** By price, from the cheapest fifth to the most expensive. */
  readonly prices: readonly string[];
  /** Of the operator's tiles. */
  readonly tiles: {
    readonly ground: string;
    readonly water: string;
    readonly green: string;
    readonly building: string;
    readonly road: string;
    readonly mainRoad: string;
    readonly rail: string;
    readonly name: string;
    readonly station: string;
    /** The border between two zones, which must not look like a street. */
    readonly zone: string;
  };
}

export const NIGHT: Palette = {
  land: "#080d18",
  roofs: ["#121b2f", "#141e34", "#111a2c", "#162037"],
  searchedRoofs: ["#1c294a", "#1f2d50", "#1a2645", "#213055"],
  street: "rgba(126, 152, 208, 0.36)",
  outline: "#b9cbf2",
  outlineGlow: "rgba(140, 170, 240, 0.22)",
  window: "#ffc04d",
  keptWindow: "#fff1c9",
  glow: "245, 165, 36",
  ember: "#8a4a35",
  grid: "rgba(126, 152, 208, 0.12)",
  label: "#c3cfe8",
  labelEdge: "rgba(8, 13, 24, 0.85)",
  place: "#eaeff9",
  chosen: "#eaeff9",
  prices: ["#7d9dd3", "#5a80c3", "#3f67b0", "#2c5197", "#1e3e7c"],
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
    zone: "rgba(126, 152, 208, 0.16)",
  },
};

export const DUSK: Palette = {
  land: "#c5cbdd",
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

/** Colours vary slightly, but a zone always has the same one. */
export function roofOf(placeId: string, roofs: readonly string[]): string {
  let sum = 0;
  for (const letter of placeId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return roofs[sum % roofs.length] ?? "";
}
