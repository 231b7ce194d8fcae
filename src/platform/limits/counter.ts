export function createCounter() {
  const counts = new Map<string, number>();
  return {
    count: (name: string) => counts.get(name) ?? 0,
    add: (name: string, amount = 1) => void counts.set(name, (counts.get(name) ?? 0) + amount),
    remove: (name: string, amount = 1) => {
      const left = (counts.get(name) ?? 0) - amount;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}
