declare const __SITE_ORIGIN__: string;

/** True while pages are rendered at build time. */
export const isPrerendering = import.meta.env.SSR;

/** The origin absolute addresses are written with at build time. In the browser it comes with the page. */
export const builtSiteOrigin = __SITE_ORIGIN__;
