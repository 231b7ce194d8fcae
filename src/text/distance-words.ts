/** How far it is to a place of one's own: "about 2.3 km to Work (28 min on foot, 9 min by bicycle)". */
import type { DistanceTo } from "#core/finds/distance.ts";
import type { Language } from "#core/languages.ts";
import { filled, homePhrases } from "./home-phrases/phrases-of.ts";
import { formatUnit } from "./labels.ts";

const METRES_PER_KM = 1000;
/** The portal's points and straight lines are no more exact than this. */
const STEP_METRES = 50;

export function distanceWords(distance: DistanceTo, language: Language): string {
  const { distanceTo, about, onFoot, byBicycle } = homePhrases(language);
  const length = lengthOf(distance.metres, language);
  const words = filled(distanceTo, distance.isApproximate ? filled(about, length) : length, distance.name);
  const minutes = [
    minutesOf(distance.footMinutes, onFoot, language),
    minutesOf(distance.bicycleMinutes, byBicycle, language),
  ].filter((part) => part !== null);
  return minutes.length === 0 ? words : `${words} (${minutes.join(", ")})`;
}

function lengthOf(metres: number, language: Language): string {
  const rounded = Math.max(STEP_METRES, Math.round(metres / STEP_METRES) * STEP_METRES);
  if (rounded < METRES_PER_KM) return formatUnit(rounded, "meter", language);
  const km = metres / METRES_PER_KM;
  return formatUnit(km < 10 ? Math.round(km * 10) / 10 : Math.round(km), "kilometer", language);
}

function minutesOf(minutes: number | null | undefined, phrase: string, language: Language): string | null {
  return typeof minutes === "number" ? filled(phrase, formatUnit(minutes, "minute", language)) : null;
}
