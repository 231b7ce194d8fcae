import type { IncomingMessage, ServerResponse } from "node:http";
import { control } from "./control.ts";
import type { World, WorldEvent } from "./world.ts";

export async function answerControl(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = url.pathname.slice("/control/".length).split("/").filter(Boolean).map(decodeURIComponent);
  if (path[0] === "events") {
    streamEvents(world, response);
  } else if (path[0] === "files") {
    sendPicture(world, response, path[1] ?? "");
  } else {
    const body = await readJsonBody(request);
    const method = request.method ?? "GET";
    const answer =
      body === undefined
        ? { status: 400, body: { error: "bad-json", message: "the body must be a JSON object" } }
        : control(world, { method, path, query: url.searchParams, body });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }
}

/** Server-sent events: something changed in a chat, a pressed button was answered, someone came. */
function streamEvents(world: World, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": watching\n\n");
  const listener = (event: WorldEvent) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  world.listeners.add(listener);
  response.on("close", () => world.listeners.delete(listener));
}

function sendPicture(world: World, response: ServerResponse, fileId: string): void {
  const picture = world.pictures.find(fileId);
  if (picture?.bytes === undefined) {
    response.writeHead(404, { "content-type": "application/json" });
    const message = picture === undefined ? "there is no such file" : "a picture by URL is never fetched";
    response.end(JSON.stringify({ error: "no-bytes", message, url: picture?.url ?? null }));
    return;
  }
  response.writeHead(200, { "content-type": picture.type });
  response.end(picture.bytes);
}

async function readJsonBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
