export type Gate = <T>(act: () => Promise<T>, asker?: string) => Promise<T>;

/**
 * Lets at most `limit` act at once; the others wait. Those who ask take turns: who asks a hundred times waits a hundred
 * turns, and who asks once waits for one of each of the others.
 */
export function createGate(limit: number): Gate {
  let free = limit;
  // In the order of their turns: who was let in goes to the end.
  const waiting = new Map<string, (() => void)[]>();

  const letNextIn = () => {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [asker, turns] = next;
    waiting.delete(asker);
    const go = turns.shift();
    if (turns.length > 0) waiting.set(asker, turns);
    go?.();
  };

  return async (act, asker = "") => {
    if (free > 0) free -= 1;
    else {
      await new Promise<void>((resolve) => {
        const turns = waiting.get(asker);
        if (turns) turns.push(resolve);
        else waiting.set(asker, [resolve]);
      });
    }
    try {
      return await act();
    } finally {
      letNextIn();
    }
  };
}
