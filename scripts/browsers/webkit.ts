import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { RemoteBrowser } from "./remote-browser.ts";
import { waitFor } from "./remote-browser.ts";

/** Drives WebKitGTK's MiniBrowser over WebDriver: https://www.w3.org/TR/webdriver2/ */
export async function openWebKit({ driver, browser, display, port }: WebKitPlace): Promise<RemoteBrowser> {
  const started = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdio: "ignore",
  });
  const address = `http://127.0.0.1:${port}`;
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  const options = { binary: browser, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  try {
    await waitFor("WebKit's driver", () => ask("GET", "/status"));
    const session = (await ask("POST", "/session", { capabilities })) as unknown as Session;
    const path = `/session/${session.sessionId}`;
    return {
      version: session.capabilities.browserVersion,
      goTo: async (url) => void (await ask("POST", `${path}/url`, { url })),
      resize: async (width, height) => void (await ask("POST", `${path}/window/rect`, { width, height })),
      evaluate: async (expression) => {
        const script = `return JSON.stringify(${expression})`;
        const text: unknown = await ask("POST", `${path}/execute/sync`, { script, args: [] });
        return JSON.parse(String(text));
      },
      perform: async (actions) => void (await ask("POST", `${path}/actions`, { actions })),
      close: async () => {
        await ask("DELETE", path).catch(() => undefined);
        await stop(started);
      },
    };
  } catch (error) {
    await stop(started);
    throw error;
  }
}

interface WebKitPlace {
  driver: string;
  browser: string;
  /** Of an X server: WebKitGTK has no headless mode. */
  display: string;
  port: number;
}

interface Session {
  sessionId: string;
  capabilities: { browserVersion: string };
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
