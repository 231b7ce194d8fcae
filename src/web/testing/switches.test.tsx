// Settings that are saved with the press: what was chosen is saved, or the page says that it is not.
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Finds } from "../features/finds/finds.tsx";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { SEARCH_ID, STORED } from "./stored-rows.ts";

setUpPages();

const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

test("WEB-01 WEB-02 a warning that was chosen while an earlier choice failed is not saved in silence without it", async () => {
  const answerer = new Answerer(STORED);
  let hidden: unknown = [];
  const settings = STORED.find_settings?.() as object;
  answerer.answer("find_settings", () => ({ ...settings, hidden_warnings: hidden }));
  let count = 0;
  answerer.answer("PATCH find_settings", async ({ body }) => {
    count += 1;
    if (count === 1) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return Response.json({ message: "fault" }, { status: 503 });
    }
    hidden = (body as { hidden_warnings: unknown }).hidden_warnings;
    return [{ user_id: "x" }];
  });
  await openPage(<Finds />, answerer, "/finds?view=settings");
  await pass(4_000);
  const turn = (name: RegExp) =>
    act(async () => screen.getAllByRole("switch", { name, hidden: true })[0]?.click());
  await turn(/^No photo/);
  await turn(/^Auction/);
  await pass(8_000);
  const isSaid = alerts().length > 0;
  expect(isSaid ? hidden : [...(hidden as string[])].sort()).toEqual(isSaid ? [] : ["auction", "no-photo"]);
});

test("WEB-02 WEB-03 the zone of quiet hours is saved over what the person saw, and a failure is said in place", async () => {
  const answerer = new Answerer(STORED);
  const asked: URL[] = [];
  answerer.answer("PATCH profiles", ({ url }) => {
    asked.push(url);
    return [{ id: "x" }];
  });
  await openPage(<FilterSettings />, answerer, `/filter-settings?search=${SEARCH_ID}#loud`);
  await pass(4_000);
  const zone = screen.getByRole("combobox", { name: /time/i });
  const choose = (value: string) =>
    act(async () => {
      Object.assign(zone, { value });
      zone.dispatchEvent(new Event("change", { bubbles: true }));
    });
  answerer.fail("PATCH profiles", "nothing");
  await choose("Atlantic/Canary");
  await pass(4_000);
  expect(alerts().length).toBeGreaterThan(0);
  answerer.recover();
  await choose("Atlantic/Canary");
  await pass(4_000);
  expect(asked.map(({ searchParams }) => searchParams.get("time_zone"))).toEqual(["is.null"]);
});
