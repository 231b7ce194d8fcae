export type Gate = <T>(act: () => Promise<T>) => Promise<T>;

/** Lets at most `limit` act at once; the others wait in line. */
export function createGate(limit: number): Gate {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
