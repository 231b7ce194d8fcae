import { getRequestListener } from "@hono/node-server";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { MailSender } from "../mail/mail-sender.ts";
import { SavedSearches } from "./alert-mails/saved-searches.ts";
import { Faults } from "./faults.ts";
import { type Credentials, Ledger, Limits, Tokens } from "./gateway.ts";
import { type Clock, realClock } from "./market/clock.ts";
import { Market } from "./market/market.ts";
import { createPortalApp, type World } from "./portal-app.ts";

/**
 * The simulated portal: its official API, a by-URL API for the same market, and a control API. Written from the portal's
 * documentation. It uses only the product's catalogue of places.
 */
export interface PortalSimulatorOptions {
  readonly seed?: number;
  /** The initial number of adverts. */
  readonly size?: number;
  readonly newPerDay?: number;
  readonly clock?: Clock;
  readonly credentials?: Credentials;
  /** 0 switches the rate limit off. */
  readonly requestsPerSecond?: number;
  /** Null switches the quota off. The documentation says 100. */
  readonly monthlyRequests?: number | null;
  /** Without it searches cannot be saved. */
  readonly mailSender?: MailSender;
}

export interface PortalSimulator extends World {
  readonly url: string;
  close(): Promise<void>;
}

export const DEFAULT_CREDENTIALS: Credentials = { key: "simulated-key", secret: "simulated-secret" };
export const DEFAULT_BY_URL_KEY = "simulated-by-url-key";

export async function startPortalSimulator(options: PortalSimulatorOptions = {}): Promise<PortalSimulator> {
  const world = createWorld(options);
  const { port, stop } = await listenOnLoopback(getRequestListener(createPortalApp(world).fetch));
  return Object.assign(world, {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      world.savedSearches?.stop();
      return stop();
    },
  });
}

function createWorld(options: PortalSimulatorOptions): World {
  const { clock = realClock, seed = 1, size = 30_000, newPerDay = 900 } = options;
  const { requestsPerSecond = 1, monthlyRequests = 100, mailSender } = options;
  const market = new Market({ seed, size, newPerDay, startsAt: clock.now() });
  return {
    clock,
    market,
    savedSearches: mailSender ? new SavedSearches(market, clock, mailSender) : null,
    tokens: new Tokens(options.credentials ?? DEFAULT_CREDENTIALS, clock),
    limits: new Limits(clock, { requestsPerSecond, monthlyRequests }),
    byUrlLimits: new Limits(clock, { requestsPerSecond, monthlyRequests }),
    byUrlKey: DEFAULT_BY_URL_KEY,
    faults: new Faults(),
    ledger: new Ledger(),
    limitShape: "gateway-500",
  };
}
