import type { Binding } from "./join-request.ts";

export type Channel = {
  topic: string;
  joinRef: string | null;
  bindings: readonly Binding[];
  /** Replaced, by the list of open channels, when the client sends a fresh token. */
  identity: Identity;
  push: (event: string, payload: object) => void;
  /** For good: its person may hear no more. */
  close: (reason: string) => void;
  /** Ends the channel so that realtime-js joins again by itself and its user reloads. */
  fail: () => void;
};

/** Whom a channel speaks for. A guest has no id, owns no rows and so is told of none. */
export type Identity = {
  userId?: string;
  sessionId?: string;
  /** What row-level security sees. */
  claimsJson: string;
  expiresAtMs: number;
};

export type OpenChannels = ReturnType<typeof createOpenChannels>;

/** All open channels, found by their person: a change is its owner's, and everyone else's channels must not cost. */
export function createOpenChannels() {
  const all = new Set<Channel>();
  const byUser = new Map<string, Set<Channel>>();
  const ofUser = (userId: string | undefined): ReadonlySet<Channel> => byUser.get(userId ?? "") ?? NONE;

  const add = (channel: Channel) => {
    all.add(channel);
    const { userId } = channel.identity;
    if (userId === undefined) return;
    const own = byUser.get(userId) ?? new Set();
    byUser.set(userId, own.add(channel));
  };
  const remove = (channel: Channel): boolean => {
    const { userId = "" } = channel.identity;
    const own = byUser.get(userId);
    own?.delete(channel);
    if (own?.size === 0) byUser.delete(userId);
    return all.delete(channel);
  };
  return {
    add,
    remove,
    has: (channel: Channel) => all.has(channel),
    /** None for a guest, who owns nothing. */
    ofUser,
    /** From a fresh token, perhaps another person's. */
    identify: (channel: Channel, identity: Channel["identity"]) => {
      remove(channel);
      channel.identity = identity;
      add(channel);
    },
    [Symbol.iterator]: () => all.values(),
  };
}

const NONE: ReadonlySet<Channel> = new Set();
