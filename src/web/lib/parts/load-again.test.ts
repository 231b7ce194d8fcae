import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadAgain } from "./load-again.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: false });
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("CALM-01 a load during which the connection comes back is tried again at once", async () => {
  const first = Promise.withResolvers<string>();
  const answers = [first.promise, Promise.resolve("loaded")];
  const loading = loadAgain(() => answers.shift() ?? Promise.reject(new Error("asked too often")), vi.fn());
  window.dispatchEvent(new Event("online"));
  first.reject(new TypeError("Failed to fetch"));
  await expect(loading).resolves.toBe("loaded");
});

test("CALM-01 a load that failed waits for the connection", async () => {
  const onFailure = vi.fn();
  const answers = [Promise.reject(new TypeError("Failed to fetch")), Promise.resolve("loaded")];
  const loading = loadAgain(() => answers.shift() ?? Promise.reject(new Error("asked too often")), onFailure);
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledExactlyOnceWith("offline"));
  window.dispatchEvent(new Event("online"));
  await expect(loading).resolves.toBe("loaded");
});

test("CALM-01 after the connection came back, the delays start with the shortest again", async () => {
  let asked = 0;
  const loading = loadAgain(async () => {
    asked += 1;
    if (asked < 7) throw new TypeError("Failed to fetch");
    return "loaded";
  }, vi.fn());
  await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000 + 16_000);
  expect(asked).toBe(5);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(loading).resolves.toBe("loaded");
});
