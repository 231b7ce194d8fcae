import { act, cleanup, screen } from "@testing-library/react";
import { type ReactNode, Suspense, startTransition, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Answerer } from "../../testing/answerer.ts";
import { openPage } from "../../testing/open-page.tsx";
import { STORED } from "../../testing/stored-rows.ts";
import { lazyPart } from "./lazy-part.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("CALM-01 a part that waits for its code is then shown, and React has nothing to warn of", async () => {
  const warned = vi.spyOn(console, "error").mockImplementation(() => {});
  const code = Promise.withResolvers<() => string>();
  const Part = lazyPart(() => code.promise);
  const show = await openHidden(<Part />);
  await act(async () => startTransition(show));
  expect(screen.queryByText("the part")).toBeNull();
  await act(async () => code.resolve(() => "the part"));
  expect(screen.queryByText("the part")).not.toBeNull();
  expect(warned.mock.calls.map(([first]) => String(first).split("\n")[0])).toEqual([]);
});

test("a part whose code is there already is shown without a wait", async () => {
  const Part = lazyPart(async () => () => "the part");
  await Part.preload();
  const show = await openHidden(<Part />);
  act(show);
  expect(screen.queryByText("the part")).not.toBeNull();
});

/** Returns what shows the part. */
async function openHidden(part: ReactNode): Promise<() => void> {
  let show = () => {};
  function Switch() {
    const [isShown, setShown] = useState(false);
    show = () => setShown(true);
    return <Suspense fallback="waits">{isShown && part}</Suspense>;
  }
  await openPage(<Switch />, new Answerer(STORED));
  return show;
}
