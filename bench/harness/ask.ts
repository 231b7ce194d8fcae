import { type Agent, request } from "node:http";

export type Answer = { status: number; text: string };

type Options = { method?: string; body?: string; agent?: Agent; timeout?: number };

/** One request with Node's own client: fetch costs the measuring side several times as much CPU. */
export function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  options: Options = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const sent = body ? { ...headers, "content-type": "application/json" } : headers;
    const asked = request({ host: "127.0.0.1", port, path, headers: sent, ...rest }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    asked.on("timeout", () => asked.destroy(new Error("timeout")));
    asked.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at this moment. Browsers retry, too.
      if (error.code === "ECONNRESET" && asked.reusedSocket) resolve(ask(port, path, headers, options));
      else reject(error);
    });
    asked.end(body);
  });
}
