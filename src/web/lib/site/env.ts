declare const __SITE_ORIGIN__: string;

/** True while pages are prerendered at build time. */
export const isPrerendering = import.meta.env.SSR;

/** The origin of absolute addresses at build time. In the browser it comes with the page. */
export const builtSiteOrigin = __SITE_ORIGIN__;
