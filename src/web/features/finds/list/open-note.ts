/** The home whose note is being written. Not a state of the list, so that opening a note does not render every card. */
export interface OpenNote {
  homeId(): string | null;
  open(homeId: string | null): void;
  subscribe(listener: () => void): () => void;
}

export function createOpenNote(): OpenNote {
  let opened: string | null = null;
  const listeners = new Set<() => void>();
  return {
    homeId: () => opened,
    open: (homeId) => {
      opened = homeId;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
