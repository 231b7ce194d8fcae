/**
 * The portal's spelling of a name in a path: "Camp d'Esports" is camp-d-esports. A slash is left out, not
 * hyphenated: "Jávea/Xàbia" is javeaxabia.
 */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\p{M}/]/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
