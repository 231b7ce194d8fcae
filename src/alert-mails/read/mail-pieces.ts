// Splits a mail into texts, links, pictures and comments, in reading order. It ignores the layout, so that a portal can
// change its tables without breaking the reader.
import { Parser } from "htmlparser2";

export type Piece =
  | { readonly type: "text"; readonly text: string; readonly isStruck: boolean; readonly isLinked: boolean }
  | { readonly type: "link"; readonly href: string; readonly title: string | null }
  | { readonly type: "image"; readonly src: string; readonly title: string | null }
  | { readonly type: "mark"; readonly text: string };

/** Real mails have a few hundred. */
const MAX_PIECES = 50_000;
const MAX_DEPTH = 2_000;
const SLICE = 64 * 1024;
const MAX_MARK_LENGTH = 200;
/** Longer than any line of an alert. */
const MAX_LINE_LENGTH = 4_000;
const INLINE = new Set(
  "a b strong i em span font sup sub u small s strike del ins big mark mj-raw mj-text o:p wbr".split(" "),
);
const UNSEEN = new Set(["style", "script", "title", "head", "noscript", "template"]);
const STRUCK = new Set(["s", "strike", "del"]);

/** Returns undefined if the mail is larger than any real one. */
export function piecesOfHtml(html: string): Piece[] | undefined {
  const collector = new Collector();
  const parser = new Parser({
    onopentag: (name, attributes) => collector.open(name, attributes),
    ontext: (text) => collector.addText(text),
    onclosetag: (name) => collector.close(name),
    oncomment: (comment) => collector.addMark(comment),
  });
  // Parse in slices, to give up early on HTML that is nested too deeply.
  for (let at = 0; at < html.length && !collector.isTooMuch; at += SLICE)
    parser.write(html.slice(at, at + SLICE));
  if (collector.isTooMuch) return undefined;
  parser.end();
  return collector.finish();
}

interface OpenElement {
  readonly isStruck: boolean;
  readonly isUnseen: boolean;
  readonly isLink: boolean;
}

class Collector {
  readonly #pieces: Piece[] = [];
  readonly #elements: OpenElement[] = [];
  #struck = 0;
  #unseen = 0;
  #links = 0;
  #text = "";

  open(name: string, attributes: Record<string, string>): void {
    const { style = "", href = "", src = "", background = "" } = attributes;
    const isStruck = STRUCK.has(name) || /line-through/i.test(style);
    // Skip the hidden preview text, which repeats the contents.
    const isUnseen = UNSEEN.has(name) || /display\s*:\s*none/i.test(style);
    const element = { isStruck, isUnseen, isLink: name === "a" };
    this.#endLine(name, element);
    this.#elements.push(element);
    this.#count(element, 1);
    if (this.#unseen > 0) return;
    const title = lineOf(attributes.title ?? "") || null;
    if (background) this.#add({ type: "image", src: background.trim(), title: null });
    if (name === "a" && href) this.#add({ type: "link", href: href.trim(), title });
    if (name === "img" && (src || title)) this.#add({ type: "image", src: src.trim(), title });
  }

  close(name: string): void {
    const element = this.#elements.pop();
    if (!element) return;
    this.#endLine(name, element);
    this.#count(element, -1);
  }

  get isTooMuch(): boolean {
    return this.#pieces.length > MAX_PIECES || this.#elements.length > MAX_DEPTH;
  }

  addText(text: string): void {
    if (this.#unseen === 0) this.#text += text;
  }

  addMark(comment: string): void {
    // Ignore Outlook's conditional comments.
    if (comment.length > MAX_MARK_LENGTH || /^\s*\[|<!/.test(comment)) return;
    const text = lineOf(comment).toLowerCase();
    // A comment does not split a text: "180.000<!-- --> €".
    if (text === "") return;
    this.#flush();
    this.#add({ type: "mark", text });
  }

  finish(): Piece[] | undefined {
    this.#flush();
    return this.isTooMuch ? undefined : this.#pieces;
  }

  #endLine(name: string, { isStruck, isLink }: OpenElement): void {
    if (isStruck || isLink || !INLINE.has(name)) this.#flush();
  }

  #count({ isStruck, isUnseen, isLink }: OpenElement, by: 1 | -1): void {
    if (isStruck) this.#struck += by;
    if (isUnseen) this.#unseen += by;
    if (isLink) this.#links += by;
  }

  #flush(): void {
    const text = lineOf(this.#text);
    this.#text = "";
    if (text !== "") this.#add({ type: "text", text, isStruck: this.#struck > 0, isLinked: this.#links > 0 });
  }

  #add(piece: Piece): void {
    if (this.#pieces.length <= MAX_PIECES) this.#pieces.push(piece);
  }
}

/** A mail's text part, where links stand after their words: "1.400 € ( https://… )". */
export function piecesOfText(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const line of text.slice(0, 500_000).split(/\n\s*\n/)) {
    let rest = 0;
    for (const match of line.matchAll(/\(\s*(https?:\/\/[^\s()]+)\s*\)/g)) {
      const label = lineOf(line.slice(rest, match.index));
      pieces.push({ type: "link", href: (match[1] ?? "").replaceAll("&amp;", "&"), title: null });
      if (label !== "") pieces.push({ type: "text", text: label, isStruck: false, isLinked: true });
      rest = match.index + match[0].length;
    }
    const label = lineOf(line.slice(rest));
    if (label !== "") pieces.push({ type: "text", text: label, isStruck: false, isLinked: false });
  }
  return pieces.slice(0, MAX_PIECES);
}

function lineOf(text: string): string {
  return text
    .slice(0, 10 * MAX_LINE_LENGTH)
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff\0]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
}
