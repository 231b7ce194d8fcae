// Metrics for the operator's monitoring. Gauges are read from the database on request, so every process returns the
// same values. Counters belong to this process, and Prometheus adds them up.
import { timingSafeEqual } from "node:crypto";
import type { Registry } from "prom-client";
import type { Figures } from "#store/figures.ts";
import { describeGauges, type Limits } from "./gauges.ts";

export type Metrics = { answer: (authorization: string | undefined) => Promise<Response> };

export type MetricsOptions = {
  token: string;
  registry: Registry;
  readFigures: () => Promise<Figures>;
  limits: Limits;
};

export function createMetrics({ token, registry, readFigures, limits }: MetricsOptions): Metrics {
  const show = describeGauges(registry);
  return {
    answer: async (authorization) => {
      if (!isSame(authorization ?? "", `Bearer ${token}`)) {
        return new Response("Unauthorized\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
      }
      show(await readFigures(), limits);
      return new Response(await registry.metrics(), {
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
      });
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
