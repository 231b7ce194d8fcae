import { type GoogleSimulator, startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startTestProduct, type TestProduct } from "./test-product.ts";

interface GoogleProduct {
  readonly google: GoogleSimulator;
  readonly product: TestProduct;
  stop(): Promise<void>;
}

/** The product with a simulated Google, behind a trusted proxy so that each browser can have its own IP address. */
export async function startGoogleProduct(settings: Record<string, string> = {}): Promise<GoogleProduct> {
  const google = await startGoogleSimulator({ redirectUris: ["http://localhost:3000/auth/v1/callback"] });
  const product = await startTestProduct({
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_URL: google.url,
    TRUSTED_PROXIES: "1",
    ...settings,
  });
  return {
    google,
    product,
    stop: async () => {
      await product.stop();
      await google.stop();
    },
  };
}

type Landing = {
  /** The final URL, without query and fragment. */
  page: string;
  /** The parameters in the fragment. */
  said: Record<string, string>;
  /** The URL of the callback, to call it again. */
  callback: string;
};

export type GoogleBrowser = {
  /** Presses the button and returns Google's URL. */
  begin: (query?: Record<string, string>) => Promise<Response>;
  /** Chooses an account on the consent page, or cancels. Returns the URL that Google redirects to. */
  choose: (consentUrl: string, choice: { email: string } | { decision: "cancel" }) => Promise<string>;
  /** Follows Google's redirect. */
  land: (callback: string) => Promise<Landing>;
  /** Does all three steps. */
  signIn: (
    choice: { email: string } | { decision: "cancel" },
    query?: Record<string, string>,
  ) => Promise<Landing>;
};

let opened = 0;

/** A minimal browser for the sign-in with Google: follows redirects and keeps cookies. */
export function openGoogleBrowser(product: TestProduct): GoogleBrowser {
  opened += 1;
  // With a trusted proxy, each browser has its own IP address.
  const address = `198.51.${opened >> 8}.${opened & 255}`;
  const cookies = new Map<string, string>();
  const visit = async (target: string) => {
    // The product redirects to its SITE_URL; the test reaches it at its port.
    const url = target.replace("http://localhost:3000", product.url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie, "x-forwarded-for": address } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const begin = (query: Record<string, string> = {}) =>
    visit(`${product.url}/auth/v1/authorize?${new URLSearchParams({ provider: "google", ...query })}`);
  const choose = async (consentUrl: string, choice: Record<string, string>) => {
    const answer = await fetch(consentUrl, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(choice),
    });
    const location = answer.headers.get("location");
    if (!location) throw new Error(`Google answered ${answer.status}: ${await answer.text()}`);
    return location;
  };
  const land = async (callback: string) => {
    const answer = await visit(callback);
    const url = new URL(answer.headers.get("location") ?? "");
    const said = Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
    return { page: `${url.origin}${url.pathname}`, said, callback };
  };
  const signIn: GoogleBrowser["signIn"] = async (choice, query) => {
    const begun = await begin(query);
    return land(await choose(begun.headers.get("location") ?? "", choice));
  };
  return { begin, choose, land, signIn };
}
