import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Answerer } from "../../testing/answerer.ts";
import { openPage, pass, setUpPages } from "../../testing/open-page.tsx";
import { STORED } from "../../testing/stored-rows.ts";
import { Finds } from "./finds.tsx";

setUpPages();

test("CALM-05 a map that is opened without a connection says so in its place", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await openPage(<Finds />, new Answerer(STORED), "/finds?view=map");
  await pass(5_000);
  expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContainEqual(
    expect.stringContaining("No connection."),
  );
});
