// What the page of searches says of alerts that no chat got.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { STORED } from "./stored-rows.ts";

setUpPages();

async function openWith(failed: readonly object[]): Promise<void> {
  const answerer = new Answerer(STORED);
  answerer.answer("rpc my_failed_alerts", () => failed);
  await openPage(<FilterSettings />, answerer, "/filter-settings");
  await pass(4_000);
}

const failedOf = (id: string, reason: string, changes: object = {}) => ({
  ...{ id, listing_id: id, home: null, price_eur: null, failed_at: "2026-01-05T09:00:00Z", reason },
  url: `https://www.idealista.com/inmueble/${id}/`,
  ...changes,
});

test("LAST-01 the page names each alert that could not be delivered, with its reason and a link to the advert", async () => {
  await openWith([
    failedOf("1", "refused"),
    failedOf("2", "unanswered"),
    failedOf("3", "expired", { url: null }),
  ]);
  const section = within(screen.getByRole("region", { name: "3 alerts could not be delivered" }));
  const rows = section.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.stringContaining("Telegram refused it"),
    expect.stringContaining("may have arrived"),
    expect.stringContaining("couldn't be reached for a day"),
  ]);
  expect(section.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    expect.stringContaining("/inmueble/1/"),
    expect.stringContaining("/inmueble/2/"),
  ]);
});

test("LAST-01 the page says nothing of failed alerts if there are none", async () => {
  await openWith([]);
  expect(screen.queryByText(/could not be delivered/)).toBeNull();
});
