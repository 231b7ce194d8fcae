import { type GoogleSimulator, startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startTestProduct, type TestProduct } from "../test-product.ts";
import { openProviderBrowser, type ProviderBrowser } from "./provider-browser.ts";

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

type GoogleChoice = { email: string } | { decision: "cancel" };

export type GoogleBrowser = ProviderBrowser<GoogleChoice>;

export const openGoogleBrowser = (product: TestProduct): GoogleBrowser =>
  openProviderBrowser<GoogleChoice>(product, "google");
