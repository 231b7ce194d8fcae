// Made by scripts/zones/draw-spain.ts. Boundaries of municipalities: CC BY 4.0 ign.es, by es-atlas
import type { AreaNet } from "../area-net.ts";

export const CEUTA_Y_MELILLA_AREAS: AreaNet = {
  lines: "cbJc_IME[\\QDWUENb@FRRXKFg@ obA|UQ^CVRJP]Oe@",
  areas: "51001\tCeuta\t?\n52001\tMelilla\t?",
};
