import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startTestProduct } from "#test/test-product.ts";

const TOKEN = "a-token-for-metrics-0123456789";
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const PROMETHEUS_WORDS = new Set(["by", "le", "min", "max", "sum", "rate", "increase", "histogram_quantile"]);

test("SERV-08 every metric is documented, and every alert rule uses an existing metric", async () => {
  const product = await startTestProduct({ METRICS_TOKEN: TOKEN });
  try {
    const answer = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    const ours = served.filter((one) => !/^(process|nodejs)_/.test(one));
    const table = [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \|/gm)];
    expect(table.map(([, name, kind]) => `${name} ${kind}`).toSorted()).toEqual(ours.toSorted());

    // Prometheus itself adds `up`.
    const names = new Set(["up", ...ours.map((one) => one.split(" ")[0])]);
    const rules = [...read("deploy/prometheus-rules.yml").matchAll(/^ +expr: (.+)$/gm)];
    expect(rules.length).toBeGreaterThan(10);
    for (const [, rule = ""] of rules) {
      const words = rule.replace(/\{[^}]*\}|\[[^\]]*\]|by \(\w+\)/g, "").match(/[a-z_]+/g) ?? [];
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
