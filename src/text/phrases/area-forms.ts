import type { Language } from "#core/languages.ts";
import { countOf, type Forms } from "../labels.ts";

/** Russian has one form for 1 and 21, so an area alone, which goes without its number, has words of its own. */
export type AreaForms = Forms & { readonly single?: string };

/** "an area drawn on the map", "2 areas drawn on the map" */
export function areasText(count: number, forms: AreaForms, language: Language): string {
  return (count === 1 && forms.single) || countOf(count, forms, language);
}
