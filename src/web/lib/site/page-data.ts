import type { ResourceLanguage } from "i18next";

/** Data that a prerendered page passes to its own script, as JSON in the HTML. */
export interface PageData {
  siteOrigin: string;
  /** The page's texts by namespace. */
  texts: ResourceLanguage;
}

export const PAGE_DATA_ID = "page-data";

/** `<` is escaped because a closing tag in a text would end the script element. */
export function pageDataJson(data: PageData): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

let readOnce: { json: string; data: PageData } | undefined;

export function readPageData(): { json: string; data: PageData } {
  if (!readOnce) {
    const json = document.getElementById(PAGE_DATA_ID)?.textContent ?? "";
    readOnce = {
      json,
      data: json === "" ? { siteOrigin: window.location.origin, texts: {} } : JSON.parse(json),
    };
  }
  return readOnce;
}
