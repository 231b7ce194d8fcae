import { connect, type Socket } from "node:net";

export type RawAnswer = { status: number; head: string; body: string };

export type RawRequest = {
  method?: string;
  /** The request target as sent. fetch would normalise it. */
  target: string;
  headers?: [string, string][];
  body?: string;
};

/** Sends one request over a new socket, exactly as written. */
export function rawRequest(url: string, request: RawRequest): Promise<RawAnswer> {
  const { host } = new URL(url);
  const { method = "GET", target, headers = [], body = "" } = request;
  const lines = [["Host", host], ["Connection", "close"], ...headers].map(
    ([name, value]) => `${name}: ${value}`,
  );
  if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return rawBytes(url, `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** Sends the bytes and returns the answer until the server closes the connection. */
function rawBytes(url: string, bytes: string): Promise<RawAnswer> {
  const socket = openSocket(url);
  let text = "";
  return new Promise((resolve, reject) => {
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head, body: rest.join("\r\n\r\n") });
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}
