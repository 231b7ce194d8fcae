import { checkLink } from "./check-link.ts";
import { type Entity, type FormattedText, sortEntities } from "./entity.ts";
import { HtmlFault } from "./html-fault.ts";
import { decodeReference } from "./html-reference.ts";
import { readStartTag } from "./read-start-tag.ts";

type ParsedHtml =
  | ({ readonly isFine: true } & FormattedText)
  | { readonly isFine: false; readonly reason: string };

interface OpenTag {
  readonly name: string;
  readonly argument: string;
  readonly offset: number;
}

const TYPES: Readonly<Record<string, string>> = {
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
  span: "spoiler",
};

/** HTML as the Bot API reads it: few tags, four named references, everything else refused by byte offset. */
export function parseHtml(html: string): ParsedHtml {
  try {
    return { isFine: true, ...new HtmlReader(html).read() };
  } catch (error) {
    if (error instanceof HtmlFault) return { isFine: false, reason: error.message };
    throw error;
  }
}

class HtmlReader {
  readonly #html: string;
  readonly #open: OpenTag[] = [];
  readonly #entities: (Entity & { argument?: string })[] = [];
  #text = "";
  #at = 0;

  constructor(html: string) {
    this.#html = html;
  }

  read(): FormattedText {
    while (this.#at < this.#html.length) this.#step();
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      throw new HtmlFault(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
    }
    if (!this.#text.isWellFormed()) {
      throw new HtmlFault(
        "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units",
      );
    }
    return {
      text: this.#text,
      entities: sortEntities(this.#entities.map(({ argument: _, ...entity }) => entity)),
    };
  }

  #step(): void {
    const char = this.#html[this.#at];
    const reference = char === "&" ? decodeReference(this.#html, this.#at) : undefined;
    if (reference !== undefined) {
      this.#text += reference.text;
      this.#at = reference.next;
    } else if (char !== "<") {
      this.#text += char;
      this.#at += 1;
    } else if (this.#html[this.#at + 1] === "/") {
      this.#endTag();
    } else {
      const tag = readStartTag(this.#html, this.#at);
      this.#open.push({ name: tag.name, argument: tag.argument, offset: this.#text.length });
      this.#at = tag.next;
    }
  }

  #endTag(): void {
    const byteOffset = Buffer.byteLength(this.#html.slice(0, this.#at));
    const tag = this.#open.at(-1);
    if (tag === undefined) throw new HtmlFault(`Unexpected end tag at byte offset ${byteOffset}`);
    const [whole, name = ""] = /^<\/([^\s>]*)\s*/.exec(this.#html.slice(this.#at)) ?? [""];
    const end = this.#at + whole.length;
    if (this.#html[end] !== ">") throw new HtmlFault(`Unclosed end tag at byte offset ${byteOffset}`);
    const found = name.toLowerCase();
    if (found !== "" && found !== tag.name) {
      throw new HtmlFault(
        `Unmatched end tag at byte offset ${byteOffset}, expected "</${tag.name}>", found "</${found}>"`,
      );
    }
    this.#at = end + 1;
    this.#open.pop();
    if (this.#text.length > tag.offset) this.#close(tag);
  }

  #close(tag: OpenTag): void {
    const place = { offset: tag.offset, length: this.#text.length - tag.offset };
    const type = TYPES[tag.name];
    if (type !== undefined) {
      this.#entities.push({ type, ...place });
    } else if (tag.name === "a") {
      this.#closeLink(tag, place);
    } else if (tag.name === "tg-emoji") {
      if (!/^\d{1,19}$/.test(tag.argument) || BigInt(tag.argument) > 9_223_372_036_854_775_807n) {
        throw new HtmlFault("Invalid custom emoji identifier specified");
      }
      this.#entities.push({ type: "custom_emoji", ...place, custom_emoji_id: tag.argument });
    } else if (tag.name === "blockquote") {
      this.#entities.push({ type: tag.argument === "" ? "blockquote" : "expandable_blockquote", ...place });
    } else {
      this.#closeCode(tag, place);
    }
  }

  /** A link that leads nowhere is not refused: its text stays, without the link. */
  #closeLink(tag: OpenTag, place: { offset: number; length: number }): void {
    const target = tag.argument || this.#text.slice(place.offset);
    const userId = /^tg:(?:\/\/)?user\?id=(\d+)/i.exec(target)?.[1];
    if (userId !== undefined) {
      this.#entities.push({ type: "text_mention", ...place, user: { id: Number(userId) } });
      return;
    }
    const link = checkLink(target);
    if (link.isFine && !/\s$/.test(target))
      this.#entities.push({ type: "text_link", ...place, url: link.url });
  }

  /** `pre` and `code` around the very same text are one block, in the language the code names. */
  #closeCode(tag: OpenTag, place: { offset: number; length: number }): void {
    const inner = this.#entities.at(-1);
    const isSamePlace = inner?.offset === place.offset && inner.length === place.length;
    const language = tag.name === "pre" ? inner?.argument : tag.argument;
    const isPair = isSamePlace && inner.type === (tag.name === "pre" ? "code" : "pre");
    if (isPair && language) {
      this.#entities.splice(-1, 1, { type: "pre", ...place, language });
    } else {
      this.#entities.push({ type: tag.name, ...place, argument: tag.argument });
    }
  }
}
