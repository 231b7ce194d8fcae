import { expect, type Locator } from "@playwright/test";

/** Waits until the target stops moving: late layout near the viewport shifts the page, and a click would miss. */
export async function whenStill(target: Locator): Promise<Locator> {
  await target.scrollIntoViewIfNeeded();
  let before = "";
  await expect(async () => {
    const box = JSON.stringify(await target.boundingBox());
    const isStill = box === before;
    before = box;
    expect(isStill).toBe(true);
  }).toPass({ intervals: [300] });
  return target;
}
