import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readFrames } from "./read-frames.ts";
import { realtimeLimits } from "./realtime-context.ts";

/** The part of a WebSocket that is used here; what it is asked to do is recorded. */
class FakeSocket extends EventEmitter {
  readyState: number = WebSocket.OPEN;
  isPaused = false;
  closedWith: unknown;
  isTerminated = false;
  pongs: unknown[] = [];
  pause = () => {
    this.isPaused = true;
  };
  resume = () => {
    this.isPaused = false;
  };
  pong = (payload: unknown) => void this.pongs.push(payload);
  terminate = () => {
    this.isTerminated = true;
  };
  close = (code: number) => {
    this.readyState = WebSocket.CLOSING;
    this.closedWith = code;
  };
}

const opened: FakeSocket[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.emit("close");
});

function read({ waitingFrames = 3, framesLeft = 100, answer = vi.fn() } = {}) {
  const socket = new FakeSocket();
  opened.push(socket);
  const connection = new PassThrough({ highWaterMark: 10 });
  const onFailure = vi.fn();
  readFrames({
    webSocket: socket as unknown as WebSocket,
    connection,
    limits: { ...realtimeLimits, waitingFrames },
    takeFrames: (count) => {
      framesLeft -= count;
      return framesLeft >= 0;
    },
    answer: (message) => answer(String(message)),
    onFailure,
  });
  const send = (...texts: string[]) => {
    for (const text of texts) socket.emit("message", Buffer.from(text), false);
  };
  return { socket, connection, answer, onFailure, send };
}

function holdAnswers() {
  const held = Promise.withResolvers<void>();
  return { answer: vi.fn(() => held.promise), release: held.resolve, fail: held.reject };
}

test("READ-08 frames are answered one after another, and reading is paused while one is answered", async () => {
  const { answer, release } = holdAnswers();
  const { socket, send } = read({ answer });
  send("a", "b", "c");
  expect(answer.mock.calls).toEqual([["a"]]);
  expect(socket.isPaused).toBe(true);
  release();
  await vi.waitFor(() => expect(socket.isPaused).toBe(false), 60_000);
  expect(answer.mock.calls).toEqual([["a"], ["b"], ["c"]]);
});

test("READ-08 more frames in one packet than may wait close the socket and are not answered", async () => {
  const { answer, release } = holdAnswers();
  const { socket, send } = read({ answer });
  send("a", "b", "c", "d");
  expect(socket.closedWith).toBe(undefined);
  send("e");
  expect(socket.closedWith).toBe(1008);
  expect(socket.isPaused).toBe(false);
  release();
  await new Promise(setImmediate);
  expect(answer.mock.calls).toEqual([["a"]]);
});

test("READ-08 a client that goes on sending after the close is cut off", () => {
  const { socket, answer, send } = read({ framesLeft: 0 });
  send("a");
  expect(socket.closedWith).toBe(1008);
  send("b", "c", "d");
  expect(socket.isTerminated).toBe(false);
  send("e");
  expect(socket.isTerminated).toBe(true);
  expect(answer).not.toHaveBeenCalled();
});

test("READ-08 a large frame counts as many", () => {
  const { socket, send } = read({ framesLeft: 4 });
  send("x".repeat(3 * realtimeLimits.bytesCountedAsFrame));
  expect(socket.closedWith).toBe(undefined);
  send("x");
  expect(socket.closedWith).toBe(1008);
});

test("READ-08 pings wait their turn and count as frames", async () => {
  const { answer, release } = holdAnswers();
  const { socket, send } = read({ answer, framesLeft: 3 });
  send("a");
  socket.emit("ping", "1");
  socket.emit("pong", "2");
  expect(socket.pongs).toEqual([]);
  release();
  await vi.waitFor(() => expect(socket.pongs).toEqual(["1"]), 60_000);
  socket.emit("ping", "3");
  expect(socket.closedWith).toBe(1008);
});

test("READ-08 the next frame is answered after the replies to the last have been sent", async () => {
  const { socket, connection, answer, send } = read();
  answer.mockImplementationOnce(() => void connection.write("x".repeat(100)));
  send("a", "b");
  await new Promise(setImmediate);
  expect(answer.mock.calls).toEqual([["a"]]);
  expect(socket.isPaused).toBe(true);
  connection.resume();
  await vi.waitFor(() => expect(answer.mock.calls).toEqual([["a"], ["b"]]), 60_000);
  await vi.waitFor(() => expect(socket.isPaused).toBe(false), 60_000);
});

test("a frame that fails closes its socket", async () => {
  const { answer, fail } = holdAnswers();
  const { socket, onFailure, send } = read({ answer });
  send("a", "b");
  fail(new Error("broken"));
  await vi.waitFor(() => expect(socket.closedWith).toBe(1011), 60_000);
  expect(onFailure).toHaveBeenCalledOnce();
  expect(answer).toHaveBeenCalledOnce();
});
