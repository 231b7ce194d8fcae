import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { DUSK, NIGHT } from "#core/map/palette.ts";
import { usePalette } from "./use-palette.ts";

test("MINI-05 the map is dark where the page is, also if Telegram chose and changes its mind", async () => {
  const { dataset } = document.documentElement;
  onTestFinished(() => {
    delete dataset.theme;
  });
  dataset.theme = "dark";
  const { result } = renderHook(usePalette);
  expect(result.current).toBe(NIGHT);
  await act(async () => {
    dataset.theme = "light";
  });
  expect(result.current).toBe(DUSK);
});
