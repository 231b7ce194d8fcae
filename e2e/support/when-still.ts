import { expect, type Locator } from "@playwright/test";

/** What is laid out late moves the page once when it comes near the screen: a press meanwhile would miss what it is meant for. */
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
