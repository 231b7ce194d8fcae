import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { startTestProduct } from "#test/test-product.ts";

const TOKEN = "a-token-for-metrics-0123456789";
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const PROMETHEUS_WORDS = new Set([
  ...["by", "le", "min", "max", "sum", "count", "or", "absent", "rate", "increase", "histogram_quantile"],
]);
const dashboard = z
  .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(read("deploy/grafana-dashboard.json")));

test("SERV-08 RUN-05 every metric has our prefix and is documented, and alert rules and dashboard use existing ones", async () => {
  const product = await startTestProduct({ METRICS_TOKEN: TOKEN });
  try {
    const answer = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    expect(served.filter((one) => !one.startsWith("sereno_"))).toEqual([]);
    const ours = served.filter((one) => !/^sereno_(process|nodejs)_/.test(one));
    const table = [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \|/gm)];
    expect(table.map(([, name, kind]) => `${name} ${kind}`).toSorted()).toEqual(ours.toSorted());

    // Prometheus itself adds `up`.
    const names = new Set(["up", ...served.map((one) => one.split(" ")[0])]);
    const ruleFile = read("deploy/prometheus-rules.yml");
    const rules = [...ruleFile.matchAll(/^ +expr: (.+)$/gm)].map(([, rule = ""]) => rule);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules).toContainEqual(expect.stringContaining("absent("));
    expect(ruleFile.match(/severity: (?:critical|warning) /g)).toHaveLength(rules.length);
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(shown.length).toBeGreaterThan(10);
    for (const rule of [...rules, ...shown]) {
      const words = rule.replace(/\{[^}]*\}|\[[^\]]*\]|by \([\w, ]+\)/g, "").match(/[a-z_]+/g) ?? [];
      const asked = words
        .filter((word) => !PROMETHEUS_WORDS.has(word))
        .map((word) => word.replace(/_bucket$/, ""));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((name) => !names.has(name))).toEqual([]);
    }
  } finally {
    await product.stop();
  }
});
