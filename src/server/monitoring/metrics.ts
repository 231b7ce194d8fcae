// Metrics for the operator's monitoring. Gauges are read from the database on request, so every process returns the
// same values. Counters belong to this process, and Prometheus adds them up.
import { timingSafeEqual } from "node:crypto";
import { Gauge, Registry } from "prom-client";
import type { Logger } from "#core/ports/logger.ts";
import { withTimeout } from "#platform/timing.ts";
import { PREFIX } from "./counters.ts";
import { describeGauges, type Limits } from "./gauges.ts";
import type { Figures } from "./rows/figures.ts";

export type Metrics = { answer: (authorization: string | undefined) => Promise<Response> };

export type MetricsOptions = {
  token: string;
  registry: Registry;
  readFigures: () => Promise<Figures>;
  limits: Limits;
  logger: Logger;
};

/** Less than Prometheus waits for an answer: ten seconds. */
const ANSWER_WITHIN_MS = 5_000;

/** Without the database, the counters of this process and `database_up 0` are answered, and no old figures. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { token, registry, readFigures, limits, logger } = options;
  const ofDatabase = new Registry();
  const show = describeGauges(ofDatabase);
  const isUp = new Gauge({
    name: `${PREFIX}database_up`,
    help: "Whether the database answered this request",
    registers: [registry],
  });
  return {
    answer: async (authorization) => {
      if (!isSame(authorization ?? "", `Bearer ${token}`)) {
        return new Response("Unauthorized\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
      }
      const figures = await withTimeout(ANSWER_WITHIN_MS, readFigures()).catch((err: unknown) => {
        logger.warn({ err }, "the metrics of the database could not be read");
        return undefined;
      });
      isUp.set(figures === undefined ? 0 : 1);
      if (figures) show(figures, limits);
      const texts = [await registry.metrics(), figures ? await ofDatabase.metrics() : ""];
      return new Response(texts.join("\n"), {
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
      });
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
