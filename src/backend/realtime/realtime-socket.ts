// One client's connection: frames in, replies out, and the channels it has joined.
//
//   (none) ──phx_join──► joined ──phx_leave, bad or expired token,──► (none), told by phx_close
//                          │      session ended
//                          └─────changes may be missing────────────► (none), told by phx_error
import { WebSocket } from "ws";
import { realtimeRefusal } from "../auth/refusals.ts";
import { createRateLimiter, type RateLimiter } from "../limits/rate-limit.ts";
import { decodeFrame, encodeFrame, type Frame, type FrameVersion, isRecord } from "./frame.ts";
import { parseJoin } from "./join-request.ts";
import type { Channel, Identity } from "./open-channels.ts";
import type { RealtimeContext } from "./realtime-context.ts";

type SocketOptions = {
  webSocket: WebSocket;
  version: FrameVersion;
  /** Whether the address may join once more, through whichever of its sockets. */
  mayJoin: () => boolean;
};

const topicPrefix = "realtime:";
const guest: Identity = { claimsJson: "{}", expiresAtMs: Number.POSITIVE_INFINITY };

export class RealtimeSocket {
  readonly #context: RealtimeContext;
  readonly #options: SocketOptions;
  readonly #channels = new Map<string, Channel>();
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
    webSocket.on("message", (message, isBinary) => this.#receive(isBinary ? "" : String(message)));
    webSocket.on("error", () => webSocket.terminate());
    webSocket.on("close", () => {
      clearTimeout(this.#idle);
      for (const channel of this.#channels.values()) context.channels.remove(channel);
    });
  }

  #receive(text: string): void {
    const { logger, now } = this.#context;
    const { webSocket } = this.#options;
    this.#idle.refresh();
    if (!this.#frameRate.take("", now())) {
      webSocket.close(1008, "too many messages");
      return;
    }
    // One after another: a join waits for the database, and what follows it relies on it.
    this.#handled = this.#handled
      .then(() => this.#answer(text))
      .catch((error: unknown) => {
        logger.error({ failure: String(error) }, "realtime failed on a frame");
        webSocket.close(1011, "internal error");
      });
  }

  async #answer(text: string): Promise<void> {
    const frame = decodeFrame(this.#options.version, text);
    if (!frame) return this.#options.webSocket.close(1007, "malformed frame");
    // Heartbeats bring every socket here; what has expired is told nothing even before.
    for (const one of this.#channels.values()) {
      if (one.identity.expiresAtMs <= this.#context.now()) one.close(realtimeRefusal("expired"));
    }
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
    if (typeof asked === "string") return this.#refuse(frame, asked);
    const identity = await identify(payload, this.#context);
    if (typeof identity === "string") return this.#refuse(frame, `InvalidJWTToken: ${identity}`);
    const complaint = this.#complaintAbout(topic, identity);
    if (complaint) return this.#refuse(frame, complaint);
    this.#end(this.#channels.get(topic), "phx_close");
    const joinRef = frame.joinRef ?? ref;
    const channel: Channel = {
      topic,
      joinRef,
      bindings: asked.bindings,
      identity,
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
    const { channels, limits, isListening, endedAtMs } = this.#context;
    if (this.#options.webSocket.readyState !== WebSocket.OPEN) return "closed";
    if (!topic.startsWith(topicPrefix) || topic === topicPrefix) return "unmatched topic";
    if (!isListening) return "Realtime was unable to connect to the project database";
    if (endedAtMs.has(sessionId ?? "")) return realtimeRefusal("session_ended");
    const current = this.#channels.get(topic);
    const own = channels.ofUser(userId);
    const others = own.size - (current && own.has(current) ? 1 : 0);
    const isUserFull = others >= limits.channelsPerUser;
    const isFull = isUserFull || (!current && this.#channels.size >= limits.channelsPerSocket);
    return isFull ? "ChannelRateLimitReached: Too many channels" : undefined;
  }

  async #refreshToken(channel: Channel, payload: unknown): Promise<void> {
    const identity = await identify(payload, this.#context);
    if (!this.#context.channels.has(channel)) return;
    if (typeof identity === "string") return channel.close(identity);
    const complaint = this.#complaintAbout(channel.topic, identity);
    if (complaint) return channel.close(complaint);
    if (identity.claimsJson === channel.identity.claimsJson) return;
    this.#context.channels.identify(channel, identity);
    pushSystem(channel, "ok", "Subscribed to PostgreSQL");
  }

  /** The ref of its own join tells a client which of its joins has ended. */
  #end(channel: Channel | undefined, event: "phx_close" | "phx_error"): void {
    if (!channel || !this.#context.channels.remove(channel)) return;
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
    const { limits, logger } = this.#context;
    const { webSocket } = this.#options;
    if (webSocket.readyState !== WebSocket.OPEN) return;
    const text = encodeFrame(this.#options.version, frame);
    if (text.length > limits.messageChars) this.#channels.get(frame.topic)?.fail();
    else webSocket.send(text);
    if (webSocket.bufferedAmount <= limits.unreadBytes) return;
    logger.warn({ unreadBytes: webSocket.bufferedAmount }, "realtime drops a reader that is too slow");
    webSocket.terminate();
  }
}

function pushSystem({ topic, push }: Channel, status: "ok" | "error", message: string): void {
  const extension = status === "ok" ? "postgres_changes" : "system";
  push("system", { channel: topic.slice(topicPrefix.length), extension, status, message });
}

/** Or why not. No token, or the API key, which supabase-js sends for a signed-out person, mean a guest. */
async function identify(payload: unknown, context: RealtimeContext): Promise<Identity | string> {
  const token = isRecord(payload) ? payload.access_token : undefined;
  if (token === undefined || token === null || token === context.apiKey) return guest;
  const answer = await context.checkToken(String(token));
  if (!answer.ok) return realtimeRefusal(answer.reason);
  return { ...answer.bearer, claimsJson: JSON.stringify(answer.claims), expiresAtMs: answer.expiresAtMs };
}
