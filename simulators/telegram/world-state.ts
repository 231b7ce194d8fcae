import type { Keepable } from "../kept-state.ts";
import type { Chat, MenuButton, MenuCommand, Person } from "./model.ts";
import type { Update } from "./update-queue.ts";
import type { World } from "./world.ts";

interface WorldState {
  readonly people: ReadonlyMap<number, Person>;
  readonly chats: ReadonlyMap<number, Chat>;
  readonly menus: ReadonlyMap<string, readonly MenuCommand[]>;
  readonly descriptions: ReadonlyMap<string, string>;
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly lastMessageId: number;
  readonly hasInlineMode: boolean;
  readonly menuButtons: ReadonlyMap<string, MenuButton>;
  readonly updates: { readonly lastId: number; readonly queued: readonly Update[] };
}

/** Of the simulated Telegram: its people and chats, and the updates that the bot has not confirmed. */
export function telegramState(world: World): Keepable {
  return {
    state: (): WorldState => ({
      people: world.people,
      chats: world.chats,
      menus: world.menus,
      descriptions: world.descriptions,
      documents: world.documents,
      lastMessageId: world.lastMessageId,
      hasInlineMode: world.hasInlineMode,
      menuButtons: world.menuButtons,
      updates: world.updates.state(),
    }),
    takeUp: (state) => {
      // Written by `state` of the same version.
      const kept = state as WorldState;
      for (const [own, stored] of [
        [world.people, kept.people],
        [world.chats, kept.chats],
        [world.menus, kept.menus],
        [world.descriptions, kept.descriptions],
        [world.documents, kept.documents],
        [world.menuButtons, kept.menuButtons],
      ] as [Map<unknown, unknown>, ReadonlyMap<unknown, unknown>][]) {
        own.clear();
        for (const [key, value] of stored) own.set(key, value);
      }
      world.lastMessageId = kept.lastMessageId;
      world.hasInlineMode = kept.hasInlineMode;
      world.updates.restore(kept.updates);
    },
  };
}
