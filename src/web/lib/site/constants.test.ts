import { expect, test } from "vitest";
import * as constants from "./constants.ts";

test("OPS-01 OPS-02 the constants are those of the specification", () => {
  expect(constants).toMatchObject({
    CHECK_INTERVAL_MINUTES: 10,
    DEMO_LISTING_LIMIT: 5,
    PASSWORD_MIN_LENGTH: 6,
    RESET_REDIRECT_MS: 2000,
    AUTH_RETRY_MS: 2000,
    WIZARD_PROGRESS_PERCENT: [33, 66, 100],
    TOAST: { visible: 3, durationMs: 4000, widthPx: 356, gapPx: 14 },
    TEXT_LOADING: { maxRetries: 5, retryTimeout: 350, maxParallelReads: 10 },
    STORAGE_KEYS: { language: "i18nextLng", cookieConsent: "cookieConsent" },
  });
});
