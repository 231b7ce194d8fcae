import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { inDatabase } from "./support/product-database.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const language = "de";
const { landing, measured } = textsIn(language);

const FIGURES = {
  latencies: [
    { source: "official", count: 1234, p50_seconds: 3.2, p95_seconds: 14 },
    { source: "by-url", count: 0, p50_seconds: null, p95_seconds: null },
    { source: "mail", count: 19, p50_seconds: null, p95_seconds: null },
  ],
  stays: [
    {
      ...{ place_id: "0-EU-ES-28-07-001-079", place: "Madrid", operation: "rent" },
      ...{ day_count: 412, week_count: 300, gone_in_day_percent: 21, gone_in_week_percent: 64 },
    },
    {
      ...{ place_id: "0-EU-ES-28-07-001-079-04-002", place: "Goya", operation: "sale" },
      ...{ day_count: 12, week_count: 12, gone_in_day_percent: null, gone_in_week_percent: null },
    },
  ],
};

test("RULE-08 a guest comes from the questions to the figures, each with the number measured", async ({
  page,
}) => {
  await inDatabase(
    (sql) => sql`
      insert into watch.measured_figures (measured_at, figures) values ('2100-01-01T10:00:00Z', ${sql.json(FIGURES)})
      on conflict (is_only) do update set measured_at = excluded.measured_at, figures = excluded.figures`,
  );
  await page.goto(localizedPath("/", language));
  await page.getByText(landing.faq.items.speed.question).click();
  await page.getByRole("link", { name: landing.faq.items.speed.measured }).click();
  await expect(page).toHaveURL(localizedPath("/measured", language));
  const row = (name: RegExp) => page.getByRole("row", { name });
  await expect(row(/Datendienst/)).toContainText(/4\sSek.*14\sSek.*1\.234/);
  await expect(row(/E\u2011Mails/)).toContainText(new RegExp(`${measured.tooFew}.*19`));
  await expect(row(/Madrid/)).toContainText(/21\s%.*64\s%.*412 \/ 300/);
  await expect(row(/Goya/)).toContainText(new RegExp(`${measured.tooFew}.*12`));
});
