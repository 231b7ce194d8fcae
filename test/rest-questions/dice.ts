import type { Random } from "../seeded.ts";

export type Dice = ReturnType<typeof createDice>;

export function createDice(random: Random) {
  const below = (limit: number) => Math.floor(random() * limit);
  const isChosen = (probability: number) => random() < probability;
  return {
    below,
    isChosen,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    /** Zero to `most` items. */
    some: <Item>(most: number, make: () => Item): Item[] => Array.from({ length: below(most + 1) }, make),
    /** One to `most` items. */
    several: <Item>(most: number, make: () => Item): Item[] => Array.from({ length: 1 + below(most) }, make),
  };
}
