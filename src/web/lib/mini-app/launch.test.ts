import { expect, test } from "vitest";
import { isAtLeast, readLaunch } from "./launch.ts";
import { luminanceOf } from "./start-app.ts";

const initData = `query_id=x&user=${encodeURIComponent('{"id":7,"first_name":"Ana \\/"}')}&auth_date=1&start_param=home-7&hash=00`;
const fragment = new URLSearchParams({
  tgWebAppData: initData,
  tgWebAppVersion: "9.6",
  tgWebAppThemeParams: '{"bg_color":"#17212b"}',
}).toString();

test("MINI-04 the fragment gives the signed data as it is, and who it says is there", () => {
  expect(readLaunch(fragment)).toEqual({
    initData,
    version: "9.6",
    theme: { bg_color: "#17212b" },
    telegramId: "7",
    startParameter: "home-7",
  });
});

test.each(["", "tgWebAppVersion=9.6", "tgWebAppData="])(
  "MINI-04 a page opened with the fragment %j was not opened by Telegram",
  (text) => {
    expect(readLaunch(text)).toBeUndefined();
  },
);

test("MINI-04 broken theme and user data are left out, and the page opens", () => {
  const broken = new URLSearchParams({
    tgWebAppData: "user=%7B&hash=0",
    tgWebAppThemeParams: "[",
  }).toString();
  expect(readLaunch(broken)).toMatchObject({ theme: {}, telegramId: "", version: "6.0" });
});

test("MINI-05 methods are used from the version that has them on", () => {
  expect(isAtLeast("6.10", "6.9")).toBe(true);
  expect(isAtLeast("7.10", "8.0")).toBe(false);
  expect(isAtLeast("8.0", "8.0")).toBe(true);
  expect(isAtLeast("garbage", "6.1")).toBe(false);
});

test("MINI-05 light or dark follows the luminance of Telegram's background", () => {
  expect(luminanceOf("#ffffff")).toBeCloseTo(1);
  expect(luminanceOf("#17212b")).toBeLessThan(0.1);
  expect(luminanceOf("#ff00ff")).toBeLessThan(0.4);
});
