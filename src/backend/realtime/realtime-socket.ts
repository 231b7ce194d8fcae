// One client's connection: frames in, replies out, and the channels it has joined.
//
//   (none) ──phx_join──► joined ──phx_leave, bad or expired token,──► (none), told by phx_close
//                          │      session ended
//                          └─────changes may be missing────────────► (none), told by phx_error
import { type RawData, WebSocket } from "ws";
import {
  decodeBinaryFrame,
  decodeFrame,
  encodeFrame,
  type Frame,
  type FrameVersion,
  isRecord,
} from "./frame.ts";
import { type Identity, identityOf } from "./identity.ts";
import { decideJoin, topicMistakeOf, topicPrefix } from "./join-channel.ts";
import { parseJoinRequest } from "./join-request.ts";
import { createRateLimit } from "./limits.ts";
import { failureFields } from "./logger.ts";
import type { RealtimeContext } from "./realtime-context.ts";
import type { Channel } from "./subscriptions.ts";

type OpenChannel = Channel & { expiryTimer: NodeJS.Timeout | undefined };

type SocketOptions = {
  webSocket: WebSocket;
  version: FrameVersion;
  apiKey: string;
  /** Whether the address may join once more, through whichever of its sockets. */
  mayAddressJoin: () => boolean;
};

// setTimeout cannot wait longer than 24.8 days, and tokens may live for years.
const longestTimerMs = 3_600_000;

const SESSION_ENDED = "The session of this token has ended";

export class RealtimeSocket {
  readonly #context: RealtimeContext;
  readonly #webSocket: WebSocket;
  readonly #version: FrameVersion;
  readonly #apiKey: string;
  readonly #channels = new Map<string, OpenChannel>();
  readonly #users = new Set<string>();
  readonly #isFrameAllowed: () => boolean;
  readonly #isJoinAllowed: () => boolean;
  #handled = Promise.resolve();
  #isClosed = false;
  lastSeenMs: number;
  readonly closed: Promise<void>;

  constructor(context: RealtimeContext, { webSocket, version, apiKey, mayAddressJoin }: SocketOptions) {
    this.#context = context;
    this.#webSocket = webSocket;
    this.#version = version;
    this.#apiKey = apiKey;
    this.#isFrameAllowed = createRateLimit(context.limits.framesPerSecond, context.now);
    const maySocketJoin = createRateLimit(context.limits.joinsPerSecond, context.now);
    this.#isJoinAllowed = () => maySocketJoin() && mayAddressJoin();
    this.lastSeenMs = context.now();
    webSocket.on("message", (message, isBinary) => this.#receive(message, isBinary));
    webSocket.on("error", () => webSocket.terminate());
    this.closed = new Promise((resolve) => {
      webSocket.on("close", () => {
        this.#release();
        resolve();
      });
    });
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  /** At once: whoever was signed out hears nothing more, though their token has not expired. */
  endSession(sessionId: string): void {
    for (const channel of this.#channels.values()) {
      if (channel.identity.sessionId === sessionId) this.#shutDown(channel, SESSION_ENDED);
    }
  }

  #receive(message: RawData, isBinary: boolean): void {
    this.lastSeenMs = this.#context.now();
    if (!this.#isFrameAllowed()) {
      this.close(1008, "too many messages");
      return;
    }
    const bytes = bytesOf(message);
    const decoded = isBinary
      ? decodeBinaryFrame(this.#version, bytes)
      : decodeFrame(this.#version, bytes.toString("utf8"));
    if (!decoded.ok) {
      this.close(1007, decoded.reason);
      return;
    }
    // One after another: a join waits for the database, and what follows it relies on it.
    this.#handled = this.#handled
      .then(() => this.#answer(decoded.frame))
      .catch((error: unknown) => {
        this.#context.logger.error(failureFields(error), "realtime failed on a frame");
        this.close(1011, "internal error");
      });
  }

  async #answer(frame: Frame): Promise<void> {
    if (this.#isClosed) return;
    if (frame.topic === "phoenix") {
      if (frame.event === "heartbeat") this.#reply(frame, "ok", {});
      else this.#refuse(frame, "unsupported event");
      return;
    }
    if (frame.event === "phx_join") await this.#join(frame);
    else await this.#answerInChannel(frame);
  }

  async #answerInChannel(frame: Frame): Promise<void> {
    const channel = this.#channels.get(frame.topic);
    const isFormer = frame.joinRef !== null && frame.joinRef !== channel?.joinRef;
    if (frame.event === "phx_leave") {
      this.#reply(frame, "ok", {});
      if (channel && !isFormer) this.#end(channel, "phx_close");
    } else if (!channel || isFormer) {
      this.#refuse(frame, "unmatched topic");
    } else if (frame.event === "access_token") {
      await this.#refreshToken(channel, frame.payload);
    } else if (frame.event === "broadcast" || frame.event === "presence") {
      this.#refuse(frame, `${frame.event} is not supported by this server, only postgres_changes`);
    } else {
      this.#refuse(frame, "unsupported event");
    }
  }

  async #join(frame: Frame): Promise<void> {
    if (!this.#isJoinAllowed()) {
      this.#refuse(frame, "ClientJoinRateLimitReached: Too many joins per second");
      this.close(1008, "too many joins");
      return;
    }
    const request = parseJoinRequest(frame.payload);
    const mistake = topicMistakeOf(frame.topic) ?? this.#roomMistakeOf(frame.topic, request.isPrivate);
    if (mistake) {
      this.#refuse(frame, mistake);
      return;
    }
    const decision = await decideJoin(this.#context, { request, apiKey: this.#apiKey });
    if (this.#isClosed) return;
    if (!decision.ok) {
      this.#refuse(frame, decision.reason);
      return;
    }
    if (!this.#admitUser(decision.identity)) {
      this.#refuse(frame, "ConnectionRateLimitReached: Too many connections");
      return;
    }
    const channel = this.#open(frame, decision.identity);
    const { subscriptions, listener } = this.#context;
    if (decision.resolved.length > 0) {
      subscriptions.add(
        channel,
        decision.resolved.map((resolved) => ({ ...resolved, channel })),
      );
    }
    this.#reply(frame, "ok", { postgres_changes: request.echoedBindings });
    if (decision.complaint) this.#pushSystem(channel, "postgres_changes", "error", decision.complaint);
    this.#pushSubscribed(channel);
    // Lost while the bindings were being resolved: nobody would tell this channel that it hears nothing.
    if (subscriptions.has(channel) && !listener.isListening) channel.fail();
    if (this.#context.endedSessions.has(channel.identity.sessionId)) this.#shutDown(channel, SESSION_ENDED);
  }

  #roomMistakeOf(topic: string, isPrivate: boolean): string | undefined {
    if (isPrivate) return "Unauthorized: private channels are not supported by this server";
    const isFull = this.#channels.size >= this.#context.limits.channelsPerSocket;
    if (isFull && !this.#channels.has(topic)) return "ChannelRateLimitReached: Too many channels";
    return undefined;
  }

  #admitUser({ userId }: Identity): boolean {
    const { socketsOfUser, limits } = this.#context;
    if (userId === undefined || this.#users.has(userId)) return true;
    if (this.#isClosed || socketsOfUser.count(userId) >= limits.socketsPerUser) return false;
    this.#users.add(userId);
    socketsOfUser.add(userId);
    return true;
  }

  #open({ topic, joinRef, ref }: Frame, identity: Identity): OpenChannel {
    const former = this.#channels.get(topic);
    if (former) this.#end(former, "phx_close");
    const channel: OpenChannel = {
      topic,
      joinRef: joinRef ?? ref,
      identity,
      isOpen: true,
      expiryTimer: undefined,
      push: (event, payload) => this.#send({ joinRef: channel.joinRef, ref: null, topic, event, payload }),
      fail: () => this.#end(channel, "phx_error"),
    };
    this.#channels.set(topic, channel);
    this.#awaitExpiry(channel);
    return channel;
  }

  /** The ref of its own join tells a client which of its joins has ended. */
  #end(channel: OpenChannel, event?: "phx_close" | "phx_error"): void {
    if (!channel.isOpen) return;
    channel.isOpen = false;
    clearTimeout(channel.expiryTimer);
    this.#context.subscriptions.remove(channel);
    this.#channels.delete(channel.topic);
    const { topic, joinRef } = channel;
    if (event) this.#send({ joinRef, ref: joinRef, topic, event, payload: {} });
  }

  #shutDown(channel: OpenChannel, reason: string): void {
    this.#pushSystem(channel, "system", "error", reason);
    this.#end(channel, "phx_close");
  }

  #awaitExpiry(channel: OpenChannel): void {
    clearTimeout(channel.expiryTimer);
    const leftMs = channel.identity.expiresAtMs - this.#context.now();
    if (leftMs === Number.POSITIVE_INFINITY) return;
    channel.expiryTimer = setTimeout(
      () => {
        if (channel.identity.expiresAtMs > this.#context.now()) this.#awaitExpiry(channel);
        else this.#shutDown(channel, "Token has expired");
      },
      Math.min(Math.max(0, leftMs), longestTimerMs),
    );
  }

  async #refreshToken(channel: OpenChannel, payload: unknown): Promise<void> {
    const token = isRecord(payload) ? payload.access_token : undefined;
    if (token === null || token === undefined) return;
    const checked = await identityOf(token, { ...this.#context, apiKey: this.#apiKey });
    if (!channel.isOpen) return;
    if (!checked.ok) {
      this.#shutDown(channel, checked.reason);
    } else if (this.#context.endedSessions.has(checked.identity.sessionId)) {
      this.#shutDown(channel, SESSION_ENDED);
    } else if (!this.#admitUser(checked.identity)) {
      this.#shutDown(channel, "Too many connections");
    } else if (checked.identity.key !== channel.identity.key) {
      channel.identity = checked.identity;
      this.#awaitExpiry(channel);
      this.#pushSubscribed(channel);
    }
  }

  #pushSubscribed(channel: Channel): void {
    if (!this.#context.subscriptions.has(channel)) return;
    this.#pushSystem(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
  }

  #pushSystem(channel: Channel, extension: string, status: "ok" | "error", message: string): void {
    const name = channel.topic.slice(topicPrefix.length);
    channel.push("system", { channel: name, extension, status, message });
  }

  #refuse(frame: Frame, reason: string): void {
    this.#reply(frame, "error", { reason });
  }

  #reply({ joinRef, ref, topic }: Frame, status: "ok" | "error", response: unknown): void {
    this.#send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  }

  #send(frame: Frame): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#webSocket.send(encodeFrame(this.#version, frame));
    const unreadBytes = this.#webSocket.bufferedAmount;
    if (unreadBytes > this.#context.limits.unreadBytes) {
      this.#context.logger.warn({ unreadBytes }, "realtime drops a reader that is too slow");
      this.terminate();
    }
  }

  #release(): void {
    this.#isClosed = true;
    for (const channel of this.#channels.values()) this.#end(channel);
    for (const userId of this.#users) this.#context.socketsOfUser.remove(userId);
  }
}

function bytesOf(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message;
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}
