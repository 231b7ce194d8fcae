import { badRequest, type Refusal } from "../refusal.ts";
import { checkLink } from "./check-link.ts";
import { type Entity, type FormattedText, sortEntities } from "./entity.ts";

const TYPES: Readonly<Record<string, string>> = {
  a: "text_link",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  "tg-spoiler": "spoiler",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(lt|gt|amp|quot));?/g;
const START_TAG = /<[^\s>]*((?:\s+[^\s=>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[a-z0-9.-]+(?=[\s>])))?)*)\s*>/iy;
const END_TAG = /<\/([^\s>]*)\s*>/y;

interface OpenTag {
  readonly name: string;
  readonly href: string;
  readonly offset: number;
}

/** Parses HTML as the Bot API does: a few tags and four named references. Anything else is refused with its byte offset. */
export function parseHtml(html: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = "";
  let at = 0;
  while (at < html.length) {
    if (html[at] !== "<") {
      const next = html.indexOf("<", at);
      const end = next === -1 ? html.length : next;
      text += decode(html.slice(at, end));
      at = end;
    } else if (html[at + 1] === "/") {
      const tag = open.at(-1);
      at = endTag(html, at, tag);
      open.pop();
      if (tag !== undefined && text.length > tag.offset) entities.push(...entityOf(tag, text));
    } else {
      const tag = startTag(html, at);
      open.push({ ...tag, offset: text.length });
      at = tag.next;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    throw unreadable(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  }
  if (!text.isWellFormed()) {
    throw unreadable(
      "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units",
    );
  }
  return { text, entities: sortEntities(entities) };
}

function startTag(html: string, at: number): { name: string; href: string; next: number } {
  const place = `at byte offset ${Buffer.byteLength(html.slice(0, at))}`;
  const name = (/^[^\s>]*/.exec(html.slice(at + 1))?.[0] ?? "").toLowerCase();
  if (at + 1 + name.length >= html.length) throw unreadable(`Unclosed start tag ${place}`);
  if (!(name in TYPES)) throw unreadable(`Unsupported start tag "${name}" ${place}`);
  START_TAG.lastIndex = at;
  const [whole, attributes = ""] = START_TAG.exec(html) ?? [];
  if (whole === undefined) throw unreadable(`Unclosed start tag ${place}`);
  const [, quoted, apostrophed, bare] =
    /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s]+))/i.exec(attributes) ?? [];
  return { name, href: decode(quoted ?? apostrophed ?? bare ?? ""), next: at + whole.length };
}

function endTag(html: string, at: number, tag: OpenTag | undefined): number {
  const place = `at byte offset ${Buffer.byteLength(html.slice(0, at))}`;
  if (tag === undefined) throw unreadable(`Unexpected end tag ${place}`);
  END_TAG.lastIndex = at;
  const [whole, name = ""] = END_TAG.exec(html) ?? [];
  if (whole === undefined) throw unreadable(`Unclosed end tag ${place}`);
  const found = name.toLowerCase();
  if (found !== "" && found !== tag.name) {
    throw unreadable(`Unmatched end tag ${place}, expected "</${tag.name}>", found "</${found}>"`);
  }
  return at + whole.length;
}

/** An invalid link is not refused: its text stays, without the link. */
function entityOf({ name, href, offset }: OpenTag, text: string): Entity[] {
  const entity = { type: TYPES[name] ?? name, offset, length: text.length - offset };
  if (name !== "a") return [entity];
  const link = checkLink(href || text.slice(offset));
  return link.isFine ? [{ ...entity, url: link.url }] : [];
}

function decode(html: string): string {
  return html.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code < 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function unreadable(reason: string): Refusal {
  return badRequest(`can't parse entities: ${reason}`);
}
