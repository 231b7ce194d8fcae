/**
 * How the catalogue is written down: id suffix to name, with what lies inside. A plain text of names
 * parted by " | " is a list numbered 001, 002 … in that order.
 */
export interface PlaceTree {
  readonly [suffix: string]: string | readonly [name: string, inside: PlaceTree | string];
}
