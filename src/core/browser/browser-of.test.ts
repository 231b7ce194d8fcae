import { expect, test } from "vitest";
import { browserOf } from "./browser-of.ts";

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Chrome",
    "Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge",
    "Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari",
    "iPhone",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15",
    "Firefox",
    "iPad",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0",
    "Opera",
    "ChromeOS",
  ],
])("READ-07: %s is recognised by family and platform", (userAgent, family, platform) => {
  expect(browserOf(userAgent)).toEqual({ family, platform });
});

test.each([
  [null, "other", "other"],
  ["", "other", "other"],
  ["node", "other", "other"],
  ["curl/8.5.0", "other", "other"],
  ["Mozilla/5.0", "other", "other"],
  ["Mozilla/5.0 (Windows NT 10.0) Dillo/3.2", "other", "Windows"],
  ["Mozilla/5.0 (PlayStation 5) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15", "Safari", "other"],
  [`${"x".repeat(400)} Windows Chrome/140.0`, "other", "other"],
])("READ-07: %j has %s as its family and %s as its platform", (userAgent, family, platform) => {
  expect(browserOf(userAgent)).toEqual({ family, platform });
});
