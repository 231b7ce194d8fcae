export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const PRECISION = 1e5;
const FIRST_CODE = 63;
const LAST_CODE = 126;
const MORE = 0x20;

/**
 * Reads a Google encoded polyline (precision 5, latitude first).
 * https://developers.google.com/maps/documentation/utilities/polylinealgorithm
 */
export function decodePolyline(text: string): Point[] | undefined {
  const steps = decodeSteps(text);
  if (!steps || steps.length % 2 === 1) return undefined;
  const points: Point[] = [];
  let latitude = 0;
  let longitude = 0;
  for (let i = 0; i < steps.length; i += 2) {
    latitude += steps[i] ?? 0;
    longitude += steps[i + 1] ?? 0;
    points.push({ latitude: latitude / PRECISION, longitude: longitude / PRECISION });
  }
  return points;
}

export function encodePolyline(points: readonly Point[]): string {
  let text = "";
  let lastLatitude = 0;
  let lastLongitude = 0;
  for (const point of points) {
    const latitude = Math.round(point.latitude * PRECISION);
    const longitude = Math.round(point.longitude * PRECISION);
    text += encodeStep(latitude - lastLatitude) + encodeStep(longitude - lastLongitude);
    lastLatitude = latitude;
    lastLongitude = longitude;
  }
  return text;
}

/** Whole numbers in the same code; undefined if the text is not one. */
export function decodeSteps(text: string): number[] | undefined {
  const steps: number[] = [];
  let value = 0;
  let shift = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < FIRST_CODE || code > LAST_CODE || shift > 25) return undefined;
    const chunk = code - FIRST_CODE;
    value |= (chunk & 0x1f) << shift;
    if (chunk >= MORE) {
      shift += 5;
    } else {
      steps.push(value & 1 ? ~(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return shift === 0 ? steps : undefined;
}

export function encodeSteps(steps: readonly number[]): string {
  return steps.map(encodeStep).join("");
}

function encodeStep(step: number): string {
  let value = step < 0 ? ~(step << 1) : step << 1;
  let text = "";
  while (value >= MORE) {
    text += String.fromCharCode((MORE | (value & 0x1f)) + FIRST_CODE);
    value >>= 5;
  }
  return text + String.fromCharCode(value + FIRST_CODE);
}
