export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}
export type Ring = readonly Point[];

/** `((ring)(ring))`, each ring a Google encoded polyline of precision 5. */
export function decodeRings(shape: string): Ring[] {
  return shape
    .split(/[()]+/)
    .filter((text) => text !== "")
    .map(decodePolyline)
    .filter((ring) => ring.length >= 3);
}

function decodePolyline(text: string): Point[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const chunk = character.charCodeAt(0) - 63;
    value += (chunk & 31) * 2 ** shift;
    shift += 5;
    if (chunk < 32) {
      numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2);
      value = 0;
      shift = 0;
    }
  }
  const points: Point[] = [];
  let latitude = 0;
  let longitude = 0;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    latitude += numbers[index] ?? 0;
    longitude += numbers[index + 1] ?? 0;
    points.push({ latitude: latitude / 1e5, longitude: longitude / 1e5 });
  }
  return points;
}

/** Ray casting: whether an odd number of the ring's edges lies east of the point. */
export function isInside(ring: Ring, point: Point): boolean {
  let isOdd = false;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous !== undefined && corner.latitude > point.latitude !== previous.latitude > point.latitude) {
      const slope = (previous.longitude - corner.longitude) / (previous.latitude - corner.latitude);
      if (point.longitude < corner.longitude + slope * (point.latitude - corner.latitude)) {
        isOdd = !isOdd;
      }
    }
    previous = corner;
  }
  return isOdd;
}
