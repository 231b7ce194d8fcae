export type Redirects = {
  /** The URL as listed; undefined for any other. Nothing of the requested URL is passed on. */
  find: (asked: string | null | undefined) => string | undefined;
  home: string;
};

/** The URLs a person may be sent back to. Only an exact match is accepted. */
export function createRedirects(siteUrl: string, urls: readonly string[]): Redirects {
  const listed = new Map(urls.map((url) => [new URL(url).href, url]));
  return {
    find: (asked) => (asked && URL.canParse(asked) ? listed.get(new URL(asked).href) : undefined),
    home: siteUrl,
  };
}
