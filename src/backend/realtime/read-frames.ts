// Reads the frames of one socket one after another. While a frame is being answered nothing more is read from the
// connection: TCP slows down a client that sends faster than we answer or that does not read our replies.
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { RealtimeLimits } from "./realtime-context.ts";

type ReadOptions = {
  webSocket: WebSocket;
  connection: Duplex;
  limits: RealtimeLimits;
  /** Takes from the client's budget of frames; false if it is spent. */
  takeFrames: (count: number) => boolean;
  answer: (message: Buffer, isBinary: boolean) => void | Promise<void>;
  onFailure: (error: unknown) => void;
};

export function readFrames(options: ReadOptions): void {
  const { webSocket, connection, limits, takeFrames, answer, onFailure } = options;
  const waiting: (() => void | Promise<void>)[] = [];
  let isAnswering = false;
  let ignoredCount = 0;
  const isOpen = () => webSocket.readyState === WebSocket.OPEN;
  const idle = setTimeout(() => webSocket.terminate(), limits.idleMs);

  const answerAll = async () => {
    isAnswering = true;
    webSocket.pause();
    try {
      for (let next = waiting.shift(); next && isOpen(); next = waiting.shift()) {
        await next();
        // The callback of an empty write runs after everything before it was sent.
        if (connection.writableNeedDrain) await new Promise((sent) => connection.write("", sent));
      }
    } catch (error) {
      onFailure(error);
      webSocket.close(1011, "internal error");
    }
    isAnswering = false;
    webSocket.resume();
  };

  /** The frames of one packet arrive together, even after a pause. */
  const receive = (bytes: number, frame: () => void | Promise<void>) => {
    const count = 1 + Math.floor(bytes / limits.bytesCountedAsFrame);
    idle.refresh();
    if (!isOpen()) {
      // The client has some time to read our close frame, but not to go on sending.
      ignoredCount += count;
      if (ignoredCount > limits.waitingFrames) webSocket.terminate();
    } else if (waiting.length >= limits.waitingFrames || !takeFrames(count)) {
      waiting.length = 0;
      webSocket.close(1008, "too many messages");
      // Otherwise the client's answer to the close frame would not be read.
      webSocket.resume();
    } else {
      waiting.push(frame);
      if (!isAnswering) void answerAll();
    }
  };

  webSocket.on("message", (message: Buffer, isBinary) =>
    receive(message.length, () => answer(message, isBinary)),
  );
  webSocket.on("ping", (payload) => receive(0, () => webSocket.pong(payload)));
  webSocket.on("pong", () => receive(0, () => {}));
  webSocket.on("error", () => webSocket.terminate());
  webSocket.on("close", () => clearTimeout(idle));
}
