export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly user?: unknown;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

const PRIORITY: Readonly<Record<string, number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 11,
  code: 20,
  text_link: 49,
  text_mention: 49,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
};

/** By place, the longer one first, then by kind: the order in which Telegram returns them. */
export function sortEntities(entities: readonly Entity[]): Entity[] {
  const priority = ({ type }: Entity) => PRIORITY[type] ?? 50;
  return entities.toSorted(
    (one, other) => one.offset - other.offset || other.length - one.length || priority(one) - priority(other),
  );
}

/** Without the blanks at both ends, the entities moved and cut along with them. */
export function trimText({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const kept = entities.flatMap((entity) => {
    const from = Math.max(entity.offset - start, 0);
    const to = Math.min(entity.offset + entity.length - start, trimmed.length);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: trimmed, entities: kept };
}

const FINDERS: readonly { type: string; pattern: RegExp }[] = [
  { type: "url", pattern: /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/gi },
  { type: "email", pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  {
    type: "bot_command",
    pattern: /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/giu,
  },
  { type: "mention", pattern: /(?<![\p{L}\p{N}_])@[a-z][a-z0-9_]{3,31}(?!\w)/giu },
  { type: "hashtag", pattern: /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/giu },
];

/** What Telegram finds in a text by itself: commands, links, mentions. Not inside code, links or each other. */
export function findEntities({ text, entities }: FormattedText): Entity[] {
  const closed = entities.filter(({ type }) => ["code", "pre", "text_link", "text_mention"].includes(type));
  const found: Entity[] = [];
  for (const { type, pattern } of FINDERS) {
    for (const match of text.matchAll(pattern)) {
      const candidate = { type, offset: match.index, length: match[0].length };
      if (![...closed, ...found].some((taken) => overlap(taken, candidate))) {
        found.push(candidate);
      }
    }
  }
  return found;
}

function overlap(one: Entity, other: Entity): boolean {
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}
