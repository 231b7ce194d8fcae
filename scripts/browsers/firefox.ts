import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RemoteBrowser, waitFor } from "./remote-browser.ts";
import { stop } from "./webkit.ts";

interface Answer {
  id: number;
  result?: unknown;
  error?: string;
  message?: string;
}

/**
 * Drives Firefox over WebDriver BiDi, which it speaks itself: https://www.w3.org/TR/webdriver-bidi/. Debian has no
 * geckodriver.
 */
export async function openFirefox(program: string, port: number): Promise<RemoteBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "sereno-firefox-"));
  await writeFile(
    join(profile, "user.js"),
    'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n',
  );
  const started = spawn(
    program,
    ["--headless", "--no-remote", "--profile", profile, `--remote-debugging-port=${port}`],
    { env: { ...process.env, HOME: profile }, stdio: "ignore" },
  );
  const end = async () => {
    await stop(started);
    await rm(profile, { recursive: true, force: true });
  };
  try {
    const socket = await waitFor("Firefox", () => connect(`ws://127.0.0.1:${port}/session`));
    const ask = commandsOn(socket);
    const { capabilities } = await ask<{ capabilities: { browserVersion: string } }>("session.new", {
      capabilities: {},
    });
    const tree = await ask<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
    const context = tree.contexts[0]?.context;
    return {
      version: capabilities.browserVersion,
      goTo: async (url) => void (await ask("browsingContext.navigate", { context, url, wait: "complete" })),
      resize: async (width, height) =>
        void (await ask("browsingContext.setViewport", { context, viewport: { width, height } })),
      evaluate: async (expression) => {
        const { result } = await ask<{ result?: { value?: string } }>("script.evaluate", {
          expression: `JSON.stringify(${expression})`,
          target: { context },
          awaitPromise: true,
        });
        return JSON.parse(result?.value ?? "null");
      },
      perform: async (actions) => void (await ask("input.performActions", { context, actions })),
      close: async () => {
        socket.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function connect(url: string): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () => resolve(null));
  });
}

function commandsOn(socket: WebSocket) {
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let lastId = 0;
  return async <Result>(method: string, params: object): Promise<Result> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    if (error) throw new Error(`${method}: ${error} ${message}`);
    return result as Result;
  };
}
