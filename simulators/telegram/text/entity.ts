export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

const FINDERS: readonly { type: string; pattern: RegExp }[] = [
  { type: "url", pattern: /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/gi },
  {
    type: "bot_command",
    pattern: /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/giu,
  },
  { type: "mention", pattern: /(?<![\p{L}\p{N}_])@[a-z][a-z0-9_]{3,31}(?!\w)/giu },
];

/** The text as shown in the chat: trimmed, and with the entities that Telegram detects itself. */
export function finishText({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const kept = entities.flatMap((entity) => {
    const from = Math.max(entity.offset - start, 0);
    const to = Math.min(entity.offset + entity.length - start, trimmed.length);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: trimmed, entities: sortEntities([...kept, ...findEntities(trimmed, kept)]) };
}

/** By position, the longer one first, as Telegram returns them. */
export function sortEntities(entities: readonly Entity[]): Entity[] {
  return entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
}

/** Detects commands, links and mentions, but not inside code, links or each other. */
function findEntities(text: string, entities: readonly Entity[]): Entity[] {
  const closed = entities.filter(({ type }) => ["code", "pre", "text_link"].includes(type));
  const found: Entity[] = [];
  for (const { type, pattern } of FINDERS) {
    for (const match of text.matchAll(pattern)) {
      const candidate = { type, offset: match.index, length: match[0].length };
      if (![...closed, ...found].some((taken) => overlap(taken, candidate))) found.push(candidate);
    }
  }
  return found;
}

function overlap(one: Entity, other: Entity): boolean {
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}
