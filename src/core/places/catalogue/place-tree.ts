/** The catalogue's notation: id suffix to name, with the places inside. A plain text of names separated by " | " is a list numbered 001, 002 … */
export interface PlaceTree {
  readonly [suffix: string]: string | readonly [name: string, inside: PlaceTree | string];
}
