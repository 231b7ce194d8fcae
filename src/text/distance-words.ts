/** The distance to one of a person's saved places: "about 2.3 km to Work (28 min on foot, 9 min by bicycle)". */
import type { DistanceTo } from "#core/finds/distance.ts";
import type { Language } from "#core/languages.ts";
import { formatUnit } from "./labels.ts";
import type { Words } from "./namespaces.ts";

const METRES_PER_KM = 1000;
/** The portal's coordinates and straight lines are not more precise than this. */
const STEP_METRES = 50;

export function distanceWords(to: DistanceTo, { t, language }: Words<"home">): string {
  const length = lengthOf(to.metres, language);
  const distance = to.isApproximate ? t("about", { distance: length }) : length;
  const text = t("distanceTo", { distance, place: to.name });
  const minutes = [
    typeof to.footMinutes === "number" ? t("onFoot", { time: minutesOf(to.footMinutes, language) }) : null,
    typeof to.bicycleMinutes === "number"
      ? t("byBicycle", { time: minutesOf(to.bicycleMinutes, language) })
      : null,
  ].filter((part) => part !== null);
  return minutes.length === 0 ? text : `${text} (${minutes.join(", ")})`;
}

function lengthOf(metres: number, language: Language): string {
  const rounded = Math.max(STEP_METRES, Math.round(metres / STEP_METRES) * STEP_METRES);
  if (rounded < METRES_PER_KM) return formatUnit(rounded, "meter", language);
  const km = metres / METRES_PER_KM;
  return formatUnit(km < 10 ? Math.round(km * 10) / 10 : Math.round(km), "kilometer", language);
}

function minutesOf(minutes: number, language: Language): string {
  return formatUnit(minutes, "minute", language);
}
