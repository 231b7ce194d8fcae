// One client's connection: its frames, our replies, and the channels it has joined.
//
//   (none) ──phx_join──► joined ──phx_leave, invalid or expired token,──► (none), client gets phx_close
//                          │      ended session
//                          └─────changes may be missing────────────────► (none), client gets phx_error
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { realtimeRefusal } from "../auth/auth-error.ts";
import { decodeMessage, encodeFrame, type Frame, type FrameVersion } from "./frame.ts";
import { identify, type JoinRefusal, tokenOf, tooManyJoins, tooManySockets } from "./identify.ts";
import { parseJoin } from "./join-request.ts";
import type { Identity, OpenChannel } from "./open-channels.ts";
import { readFrames } from "./read-frames.ts";
import type { RealtimeContext } from "./realtime-context.ts";

type SocketOptions = {
  webSocket: WebSocket;
  connection: Duplex;
  version: FrameVersion;
  address: string;
};

const topicPrefix = "realtime:";

export class RealtimeSocket {
  readonly #context: RealtimeContext;
  readonly #options: SocketOptions;
  readonly #channels = new Map<string, OpenChannel>();
  /** The user of the last accepted token; the socket counts as theirs, also after they sign out. */
  #userId: string | undefined;

  constructor(context: RealtimeContext, options: SocketOptions) {
    const { webSocket, connection, address } = options;
    const { limits, rates, logger, now } = context;
    this.#context = context;
    this.#options = options;
    readFrames({
      webSocket,
      connection,
      limits,
      takeFrames: (count) => rates.framesOfAddress.take(address, now(), count),
      answer: (message, isBinary) => this.#answer(message, isBinary),
      onFailure: (error) => logger.error({ failure: String(error) }, "realtime failed on a frame"),
    });
    webSocket.on("close", () => {
      for (const channel of this.#channels.values()) context.channels.remove(channel);
      if (this.#userId !== undefined) context.socketsOfUser.remove(this.#userId);
    });
  }

  async #answer(message: Buffer, isBinary: boolean): Promise<void> {
    const frame = decodeMessage(this.#options.version, message, isBinary);
    if (!frame) return this.#options.webSocket.close(1007, "malformed frame");
    // Every client sends heartbeats, so an expired channel is closed soon; changes stop at the expiry itself.
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
    } else if (!isCurrent) this.#refuse(frame, { reason: "unmatched topic" });
    else if (event === "access_token") await this.#refreshToken(channel, frame.payload);
    else this.#refuse(frame, { reason: `${event} is not supported by this server, only postgres_changes` });
  }

  async #join(frame: Frame): Promise<void> {
    const { topic, ref, payload } = frame;
    const { tables, channels, rates, now } = this.#context;
    if (!rates.joinsOfAddress.take(this.#options.address, now())) return this.#refuse(frame, tooManyJoins);
    const asked = parseJoin(payload, tables);
    if (typeof asked === "string") return this.#refuse(frame, { reason: asked });
    const found = await identify(tokenOf(payload), this.#channels.values(), this.#context);
    const identity = this.#admit(found, topic, asked.bindings.length);
    if ("reason" in identity) return this.#refuse(frame, identity);
    this.#end(this.#channels.get(topic), "phx_close");
    const joinRef = frame.joinRef ?? ref;
    const channel: OpenChannel = {
      topic,
      joinRef,
      bindings: asked.bindings,
      identity,
      push: (event, message) => this.#send({ joinRef, ref: null, topic, event, payload: message }),
      close: (reason) => {
        pushSystem(channel, "error", reason);
        this.#end(channel, "phx_close");
      },
      fail: () => this.#end(channel, "phx_error"),
    };
    this.#channels.set(topic, channel);
    channels.add(channel);
    this.#reply(frame, "ok", { postgres_changes: asked.echoed });
    if (asked.bindings.length > 0) pushSystem(channel, "ok", "Subscribed to PostgreSQL");
  }

  /** Nothing may be awaited between this check and the change of the channel. */
  #admit(found: Identity | JoinRefusal, topic: string, bindingCount: number): Identity | JoinRefusal {
    const { limits, isListening, endedAtMs, socketsOfUser } = this.#context;
    if ("reason" in found) return found;
    const { userId, sessionId = "" } = found;
    if (this.#options.webSocket.readyState !== WebSocket.OPEN) return { reason: "closed" };
    if (!topic.startsWith(topicPrefix) || topic === topicPrefix) return { reason: "unmatched topic" };
    if (!isListening) return { reason: "Realtime was unable to connect to the project database" };
    if (endedAtMs.has(sessionId)) return { reason: realtimeRefusal("session_ended") };
    if (this.#hasTooManyChannels(topic, userId, bindingCount))
      return { reason: "ChannelRateLimitReached: Too many channels" };
    if (userId === undefined || userId === this.#userId) return found;
    if (socketsOfUser.count(userId) >= limits.socketsPerUser) return tooManySockets;
    if (this.#userId !== undefined) socketsOfUser.remove(this.#userId);
    socketsOfUser.add(userId);
    this.#userId = userId;
    return found;
  }

  /** The channel of the topic does not count: the new one takes its place. */
  #hasTooManyChannels(topic: string, userId: string | undefined, bindingCount: number): boolean {
    const { channels, limits } = this.#context;
    const current = this.#channels.get(topic);
    const others = [...this.#channels.values()].filter((channel) => channel !== current);
    const othersOfUser = [...channels.ofUser(userId)].filter((channel) => channel !== current);
    const bindings = others.reduce((sum, channel) => sum + channel.bindings.length, bindingCount);
    return (
      others.length >= limits.channelsPerSocket ||
      othersOfUser.length >= limits.channelsPerUser ||
      bindings > limits.bindingsPerSocket
    );
  }

  async #refreshToken(channel: OpenChannel, payload: unknown): Promise<void> {
    const token = tokenOf(payload);
    if (token === channel.identity.token) return;
    const found = await identify(token, this.#channels.values(), this.#context);
    if (!this.#context.channels.has(channel)) return;
    const identity = this.#admit(found, channel.topic, channel.bindings.length);
    if ("reason" in identity) {
      channel.close(identity.reason);
      return this.#closeIfOverLimit(identity);
    }
    this.#context.channels.identify(channel, identity);
    pushSystem(channel, "ok", "Subscribed to PostgreSQL");
  }

  /** The ref of the join tells a client which of its joins has ended. */
  #end(channel: OpenChannel | undefined, event: "phx_close" | "phx_error"): void {
    if (!channel || !this.#context.channels.remove(channel)) return;
    const { topic, joinRef } = channel;
    this.#channels.delete(topic);
    this.#send({ joinRef, ref: joinRef, topic, event, payload: {} });
  }

  #refuse(frame: Frame, refusal: JoinRefusal): void {
    this.#reply(frame, "error", { reason: refusal.reason });
    this.#closeIfOverLimit(refusal);
  }

  #closeIfOverLimit({ reason, closesSocket }: JoinRefusal): void {
    if (closesSocket) this.#options.webSocket.close(1008, reason);
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
    logger.warn({ unreadBytes: webSocket.bufferedAmount }, "realtime drops a client that reads too slowly");
    webSocket.terminate();
  }
}

function pushSystem({ topic, push }: OpenChannel, status: "ok" | "error", message: string): void {
  const extension = status === "ok" ? "postgres_changes" : "system";
  push("system", { channel: topic.slice(topicPrefix.length), extension, status, message });
}
