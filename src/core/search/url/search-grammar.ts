/** The words in a link's path. The database checks only that a link is of the portal; what it asks for is read here. */
export const MOST_PLACE_SEGMENTS = 4;

const VIEWS = ["mapa", "mapa-google", "municipios"];

export const PLACE_SEGMENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const FILTER_WORD = /^[a-z0-9][a-z0-9_.-]*$/;
export const ZONE_CODE = /^[0-9A-Za-z]{3}$/;
export const PAGE_SEGMENT = /^pagina-[0-9]{1,6}(?:\.htm)?$/;

/** Words for how results are shown; anywhere but at the end they mean nothing. */
export function isView(segment: string): boolean {
  return PAGE_SEGMENT.test(segment) || VIEWS.includes(segment);
}
