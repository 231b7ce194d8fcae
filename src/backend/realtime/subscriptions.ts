import type { Identity } from "./identity.ts";
import type { Binding } from "./join-request.ts";

export type Channel = {
  topic: string;
  joinRef: string | null;
  /** Replaced when the client sends a fresh token. */
  identity: Identity;
  isOpen: boolean;
  push: (event: string, payload: unknown) => void;
  /** Ends the channel so that realtime-js joins again by itself and its user reloads. */
  fail: () => void;
};

export type Subscription = { channel: Channel; binding: Binding; tableKey: string };

/** Who wants to hear of which table. */
export function createSubscriptions() {
  const byTable = new Map<string, Set<Subscription>>();
  const byChannel = new Map<Channel, readonly Subscription[]>();

  function remove(channel: Channel): void {
    for (const subscription of byChannel.get(channel) ?? []) {
      const ofTable = byTable.get(subscription.tableKey);
      ofTable?.delete(subscription);
      if (ofTable?.size === 0) byTable.delete(subscription.tableKey);
    }
    byChannel.delete(channel);
  }

  return {
    add(channel: Channel, subscriptions: readonly Subscription[]): void {
      byChannel.set(channel, subscriptions);
      for (const subscription of subscriptions) {
        const ofTable = byTable.get(subscription.tableKey) ?? new Set();
        byTable.set(subscription.tableKey, ofTable.add(subscription));
      }
    },
    remove,
    has: (channel: Channel) => byChannel.has(channel),
    ofTable: (tableKey: string): Iterable<Subscription> => byTable.get(tableKey) ?? [],
    hasTable: (tableKey: string) => byTable.has(tableKey),
    channels: () => [...byChannel.keys()],
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
