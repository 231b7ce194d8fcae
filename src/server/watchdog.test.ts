import { spawn } from "node:child_process";
import { expect, test } from "vitest";

/** Runs a program with a watchdog that waits for a second. */
async function runWith(code: string): Promise<{ ended: unknown; said: string }> {
  const program = `
    import { startWatchdog } from "./src/server/watchdog.ts";
    const watchdog = startWatchdog({ tickMs: 50, ticks: 20 });
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const ended = await new Promise((resolve) =>
    child.once("close", (code, signal) => resolve(signal ?? code)),
  );
  return { ended, said };
}

test("RUN-02 a process whose event loop hangs is ended with a sentence, and one that works is not", async () => {
  const [hanging, working, stopped] = await Promise.all([
    runWith("setTimeout(() => { for (;;); }, 200);"),
    runWith("setTimeout(() => process.exit(7), 2_500);"),
    runWith("watchdog.stop(); const end = Date.now() + 2_500; while (Date.now() < end);"),
  ]);
  expect(hanging).toEqual({
    ended: "SIGKILL",
    said: expect.stringContaining("The event loop has not run for"),
  });
  expect(working).toEqual({ ended: 7, said: "" });
  expect(stopped).toEqual({ ended: 0, said: "" });
});
