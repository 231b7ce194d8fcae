import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerRequest } from "./answer-request.ts";
import { Faults } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { Limits } from "./limits.ts";
import { type Clock, realClock } from "./market/clock.ts";
import { Market } from "./market/market.ts";
import { type Credentials, Tokens } from "./official/tokens.ts";
import type { LimitShape } from "./refusals.ts";
import type { World } from "./world.ts";

/**
 * The portal, pretended: its official API, a by-URL API over the same market, and a hand on both. Written
 * from the portal's documents; it knows nothing of the product that reads it.
 */
export interface PortalSimulatorOptions {
  readonly host?: string;
  /** 0 or nothing: any free port. */
  readonly port?: number;
  readonly seed?: number;
  /** Listings at the start. */
  readonly size?: number;
  readonly newPerDay?: number;
  readonly rhythm?: "day" | "flat";
  readonly clock?: Clock;
  readonly credentials?: Credentials;
  readonly byUrlKey?: string;
  /** 0 switches the rate limit off. */
  readonly requestsPerSecond?: number;
  /** null switches the quota off; the documents speak of 100. */
  readonly monthlyRequests?: number | null;
  readonly limitShape?: LimitShape;
  /** Whether /control answers. */
  readonly control?: boolean;
}

export interface PortalSimulator extends World {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export const DEFAULT_CREDENTIALS: Credentials = { key: "simulated-key", secret: "simulated-secret" };
export const DEFAULT_BY_URL_KEY = "simulated-by-url-key";

export async function startPortalSimulator(options: PortalSimulatorOptions = {}): Promise<PortalSimulator> {
  const world = createWorld(options);
  const server = createServer((request, response) => {
    answerRequest(world, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(error instanceof RangeError ? 413 : 500, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `simulator: ${message}`, httpStatus: 500 }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(world, {
    port,
    url: `http://${options.host ?? "127.0.0.1"}:${port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  });
}

function createWorld(options: PortalSimulatorOptions): World {
  const clock = options.clock ?? realClock;
  const limits = {
    requestsPerSecond: options.requestsPerSecond ?? 1,
    monthlyRequests: options.monthlyRequests === undefined ? 100 : options.monthlyRequests,
  };
  return {
    clock,
    market: new Market({
      seed: options.seed ?? 1,
      size: options.size ?? 30_000,
      newPerDay: options.newPerDay ?? 900,
      startsAt: clock.now(),
      rhythm: options.rhythm ?? "day",
    }),
    tokens: new Tokens(options.credentials ?? DEFAULT_CREDENTIALS, clock),
    limits: new Limits(clock, limits),
    byUrlLimits: new Limits(clock, limits),
    byUrlKey: options.byUrlKey ?? DEFAULT_BY_URL_KEY,
    faults: new Faults(),
    ledger: new Ledger(),
    isControlOn: options.control ?? false,
    limitShape: options.limitShape ?? "gateway-500",
  };
}
