export type Redirects = {
  /** The address as listed, or `undefined` for one that is not: nothing of what was asked for is carried on. */
  find: (asked: string | null | undefined) => string | undefined;
  home: string;
};

/** Where a person may be sent back to: these addresses, whole, and no others that merely look like them. */
export function createRedirects(siteUrl: string, urls: readonly string[]): Redirects {
  const listed = new Map(urls.map((url) => [new URL(url).href, url]));
  return {
    find: (asked) => (asked && URL.canParse(asked) ? listed.get(new URL(asked).href) : undefined),
    home: siteUrl,
  };
}
