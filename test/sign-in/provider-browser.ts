import type { TestProduct } from "../test-product.ts";

type Landing = {
  /** The final URL, without query and fragment. */
  page: string;
  /** The parameters in the fragment. */
  said: Record<string, string>;
  /** The URL of the callback, to call it again. */
  callback: string;
};

export type ProviderBrowser<Choice> = {
  /** Presses the button and returns the redirect to the provider. */
  begin: (query?: Record<string, string>) => Promise<Response>;
  /** Asks for the provider's page to link its account to that of the access token. */
  beginLink: (accessToken: string, query?: Record<string, string>) => Promise<Response>;
  /** Chooses on the consent page. Returns the URL that the provider redirects to. */
  choose: (consentUrl: string, choice: Choice) => Promise<string>;
  /** Follows the provider's redirect. */
  land: (callback: string) => Promise<Landing>;
  /** Does all three steps. */
  signIn: (choice: Choice, query?: Record<string, string>) => Promise<Landing>;
};

let opened = 0;

/** A minimal browser for the sign-in with a provider: follows redirects and keeps cookies. */
export function openProviderBrowser<Choice extends Record<string, string>>(
  product: TestProduct,
  provider: string,
): ProviderBrowser<Choice> {
  opened += 1;
  // With a trusted proxy, each browser has its own IP address.
  const address = `198.51.${opened >> 8}.${opened & 255}`;
  const cookies = new Map<string, string>();
  const visit = async (target: string, headers: Record<string, string> = {}) => {
    // The product redirects to its SITE_URL; the test reaches it at its port.
    const url = target.replace("http://localhost:3000", product.url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { ...headers, cookie, "x-forwarded-for": address },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const begin = (query: Record<string, string> = {}) =>
    visit(`${product.url}/auth/v1/authorize?${new URLSearchParams({ provider, ...query })}`);
  const beginLink = (accessToken: string, query: Record<string, string> = {}) =>
    visit(
      `${product.url}/auth/v1/user/identities/authorize?${new URLSearchParams({ provider, skip_http_redirect: "true", ...query })}`,
      { apikey: product.publishableKey, authorization: `Bearer ${accessToken}` },
    );
  const choose = async (consentUrl: string, choice: Choice) => {
    const answer = await fetch(consentUrl, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(choice),
    });
    const location = answer.headers.get("location");
    if (!location) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    return location;
  };
  const land = async (callback: string) => {
    const answer = await visit(callback);
    const url = new URL(answer.headers.get("location") ?? "");
    const said = Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
    return { page: `${url.origin}${url.pathname}`, said, callback };
  };
  const signIn: ProviderBrowser<Choice>["signIn"] = async (choice, query) => {
    const begun = await begin(query);
    return land(await choose(begun.headers.get("location") ?? "", choice));
  };
  return { begin, beginLink, choose, land, signIn };
}
