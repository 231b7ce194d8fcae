// One client's connection: frames in, replies out, and the channels it has joined.
//
//   (none) ──phx_join──► joined ──phx_leave, bad or expired token,──► (none), told by phx_close
//                          │      session ended
//                          └─────changes may be missing────────────► (none), told by phx_error
import { WebSocket } from "ws";
import { createRateLimiter, type RateLimiter } from "../limits/rate-limit.ts";
import { decodeFrame, encodeFrame, type Frame, type FrameVersion, isRecord } from "./frame.ts";
import { type Identity, identify } from "./identity.ts";
import { parseJoin } from "./join-request.ts";
import { type Channel, failureFields, type RealtimeContext, sessionEnded } from "./realtime-context.ts";

type SocketOptions = {
  webSocket: WebSocket;
  version: FrameVersion;
  /** Whether the address may join once more, through whichever of its sockets. */
  mayJoin: () => boolean;
};

type JoinedChannel = Channel & { topic: string; joinRef: string | null };

const topicPrefix = "realtime:";

/** Until it closes. */
export function serveSocket(context: RealtimeContext, options: SocketOptions): void {
  new RealtimeSocket(context, options);
}

class RealtimeSocket {
  readonly #context: RealtimeContext;
  readonly #options: SocketOptions;
  readonly #channels = new Map<string, JoinedChannel>();
  readonly #frameRate: RateLimiter;
  readonly #idle: NodeJS.Timeout;
  #handled = Promise.resolve();

  constructor(context: RealtimeContext, options: SocketOptions) {
    const { webSocket } = options;
    const { idleMs, framesPerSecond: burst } = context.limits;
    this.#context = context;
    this.#options = options;
    this.#frameRate = createRateLimiter({ perWindow: burst, windowMs: 1000, burst });
    this.#idle = setTimeout(() => webSocket.terminate(), idleMs);
    webSocket.on("message", (message, isBinary) => this.#receive(String(message), isBinary));
    webSocket.on("error", () => webSocket.terminate());
    webSocket.on("close", () => {
      clearTimeout(this.#idle);
      for (const channel of this.#channels.values()) context.channels.delete(channel);
    });
  }

  #receive(text: string, isBinary: boolean): void {
    const { webSocket, version } = this.#options;
    this.#idle.refresh();
    const isTooFast = !this.#frameRate.take("", this.#context.now());
    // Only a broadcast would be binary.
    const frame = isBinary ? undefined : decodeFrame(version, text);
    if (isTooFast) webSocket.close(1008, "too many messages");
    else if (!frame) webSocket.close(1007, "malformed frame");
    else {
      // One after another: a join waits for the database, and what follows it relies on it.
      this.#handled = this.#handled
        .then(() => this.#answer(frame))
        .catch((error: unknown) => {
          this.#context.logger.error(failureFields(error), "realtime failed on a frame");
          webSocket.close(1011, "internal error");
        });
    }
  }

  async #answer(frame: Frame): Promise<void> {
    const { topic, event, joinRef } = frame;
    const channel = this.#channels.get(topic);
    const isCurrent = channel && (joinRef === null || joinRef === channel.joinRef);
    if (topic === "phoenix" && event === "heartbeat") this.#reply(frame, "ok", {});
    else if (event === "phx_join") await this.#join(frame);
    else if (event === "phx_leave") {
      this.#reply(frame, "ok", {});
      if (isCurrent) this.#end(channel, "phx_close");
    } else if (!isCurrent) this.#refuse(frame, "unmatched topic");
    else if (event === "access_token") await this.#refreshToken(channel, frame.payload);
    else this.#refuse(frame, `${event} is not supported by this server, only postgres_changes`);
  }

  async #join(frame: Frame): Promise<void> {
    const { topic, ref, payload } = frame;
    if (!this.#options.mayJoin()) {
      this.#refuse(frame, "ClientJoinRateLimitReached: Too many joins");
      return this.#options.webSocket.close(1008, "too many joins");
    }
    const asked = parseJoin(payload, this.#context.tables);
    if (!asked.ok) return this.#refuse(frame, asked.reason);
    const checked = await identify(tokenIn(payload), this.#context);
    if (!checked.ok) return this.#refuse(frame, `InvalidJWTToken: ${checked.reason}`);
    const complaint = this.#complaintAbout(topic, checked.identity);
    if (complaint) return this.#refuse(frame, complaint);
    this.#end(this.#channels.get(topic), "phx_close");
    const joinRef = frame.joinRef ?? ref;
    const channel: JoinedChannel = {
      topic,
      joinRef,
      bindings: asked.bindings,
      identity: checked.identity,
      push: (event, said) => this.#send({ joinRef, ref: null, topic, event, payload: said }),
      close: (reason) => {
        pushSystem(channel, "error", reason);
        this.#end(channel, "phx_close");
      },
      fail: () => this.#end(channel, "phx_error"),
    };
    this.#channels.set(topic, channel);
    this.#context.channels.add(channel);
    this.#reply(frame, "ok", { postgres_changes: asked.echoed });
    if (asked.bindings.length > 0) pushSystem(channel, "ok", "Subscribed to PostgreSQL");
  }

  /** Asked when all waiting is over: what holds now does until the channel stands. */
  #complaintAbout(topic: string, { userId, sessionId }: Identity): string | undefined {
    const { channels, limits, isListening, hasEnded } = this.#context;
    const isNew = !this.#channels.has(topic);
    const ofUser = [...channels].filter(({ identity }) => identity.userId === userId);
    if (this.#options.webSocket.readyState !== WebSocket.OPEN) return "closed";
    if (!topic.startsWith(topicPrefix) || topic === topicPrefix) return "unmatched topic";
    if (!isListening) return "Realtime was unable to connect to the project database";
    if (hasEnded(sessionId)) return sessionEnded;
    const isFull = userId !== undefined && ofUser.length >= limits.channelsPerUser;
    const isSocketFull = isNew && this.#channels.size >= limits.channelsPerSocket;
    return isFull || isSocketFull ? "ChannelRateLimitReached: Too many channels" : undefined;
  }

  async #refreshToken(channel: JoinedChannel, payload: unknown): Promise<void> {
    const token = tokenIn(payload);
    if (token === null || token === undefined) return;
    const checked = await identify(token, this.#context);
    if (!this.#context.channels.has(channel)) return;
    const complaint = checked.ok ? this.#complaintAbout(channel.topic, checked.identity) : checked.reason;
    if (complaint || !checked.ok) return channel.close(complaint ?? "");
    if (checked.identity.claimsJson === channel.identity.claimsJson) return;
    channel.identity = checked.identity;
    pushSystem(channel, "ok", "Subscribed to PostgreSQL");
  }

  /** The ref of its own join tells a client which of its joins has ended. */
  #end(channel: JoinedChannel | undefined, event: "phx_close" | "phx_error"): void {
    if (!channel || !this.#context.channels.delete(channel)) return;
    const { topic, joinRef } = channel;
    this.#channels.delete(topic);
    this.#send({ joinRef, ref: joinRef, topic, event, payload: {} });
  }

  #refuse(frame: Frame, reason: string): void {
    this.#reply(frame, "error", { reason });
  }

  #reply({ joinRef, ref, topic }: Frame, status: "ok" | "error", response: object): void {
    this.#send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  }

  #send(frame: Frame): void {
    const { webSocket, version } = this.#options;
    const { limits, logger } = this.#context;
    if (webSocket.readyState !== WebSocket.OPEN) return;
    const text = encodeFrame(version, frame);
    if (text.length > limits.messageChars) this.#channels.get(frame.topic)?.fail();
    else webSocket.send(text);
    if (webSocket.bufferedAmount <= limits.unreadBytes) return;
    logger.warn({ unreadBytes: webSocket.bufferedAmount }, "realtime drops a reader that is too slow");
    webSocket.terminate();
  }
}

function pushSystem({ topic, push }: JoinedChannel, status: "ok" | "error", message: string): void {
  const extension = status === "ok" ? "postgres_changes" : "system";
  push("system", { channel: topic.slice(topicPrefix.length), extension, status, message });
}

function tokenIn(payload: unknown): unknown {
  return isRecord(payload) ? payload.access_token : undefined;
}
