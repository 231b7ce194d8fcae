import type { PersonClaims } from "../person-transaction.ts";
import type { Binding } from "./join-request.ts";

export type OpenChannel = {
  topic: string;
  joinRef: string | null;
  bindings: readonly Binding[];
  identity: Identity;
  push: (event: string, payload: object) => void;
  /** Ends the channel for good: its user must not receive anything more. */
  close: (reason: string) => void;
  /** Ends the channel so that realtime-js joins again by itself and the page reloads. */
  fail: () => void;
};

/** The user a channel belongs to. A guest has no token, owns no rows and receives no changes. */
export type Identity = {
  userId?: string;
  sessionId?: string;
  token?: string;
  claims?: PersonClaims;
  expiresAtMs: number;
};

export type OpenChannels = ReturnType<typeof createOpenChannels>;

/** All open channels, indexed by user: the cost of a change does not depend on other people's channels. */
export function createOpenChannels() {
  const all = new Set<OpenChannel>();
  const byUser = new Map<string, Set<OpenChannel>>();
  const ofUser = (userId: string | undefined): ReadonlySet<OpenChannel> => byUser.get(userId ?? "") ?? NONE;

  const add = (channel: OpenChannel) => {
    all.add(channel);
    const { userId } = channel.identity;
    if (userId === undefined) return;
    const own = byUser.get(userId) ?? new Set();
    byUser.set(userId, own.add(channel));
  };
  const remove = (channel: OpenChannel): boolean => {
    const { userId = "" } = channel.identity;
    const own = byUser.get(userId);
    own?.delete(channel);
    if (own?.size === 0) byUser.delete(userId);
    return all.delete(channel);
  };
  return {
    add,
    remove,
    has: (channel: OpenChannel) => all.has(channel),
    ofUser,
    /** The new token may be another user's. */
    identify: (channel: OpenChannel, identity: Identity) => {
      remove(channel);
      channel.identity = identity;
      add(channel);
    },
    [Symbol.iterator]: () => all.values(),
  };
}

const NONE: ReadonlySet<OpenChannel> = new Set();
