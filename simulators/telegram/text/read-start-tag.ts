import { HtmlFault } from "./html-fault.ts";
import { decodeReference } from "./html-reference.ts";

interface StartTag {
  readonly name: string;
  /** The one attribute of the tag that matters. */
  readonly argument: string;
  readonly next: number;
}

const SUPPORTED = new Set([
  "a",
  "b",
  "strong",
  "i",
  "em",
  "s",
  "strike",
  "del",
  "u",
  "ins",
  "tg-spoiler",
  "tg-emoji",
  "span",
  "pre",
  "code",
  "blockquote",
]);

export function readStartTag(html: string, start: number): StartTag {
  const byteOffset = Buffer.byteLength(html.slice(0, start));
  const rawName = /^[^\s>]*/.exec(html.slice(start + 1))?.[0] ?? "";
  let at = start + 1 + rawName.length;
  if (at >= html.length) throw new HtmlFault(`Unclosed start tag at byte offset ${byteOffset}`);
  const name = rawName.toLowerCase();
  if (!SUPPORTED.has(name)) {
    throw new HtmlFault(`Unsupported start tag "${name}" at byte offset ${byteOffset}`);
  }
  let argument = "";
  for (;;) {
    at = skipBlanks(html, at);
    if (html[at] === ">") break;
    const attribute = readAttribute(html, at, { name, byteOffset });
    at = attribute.next;
    argument = argumentOf(name, attribute) ?? argument;
  }
  if (name === "span" && argument !== "spoiler") {
    throw new HtmlFault(`Tag "span" must have class "tg-spoiler" at byte offset ${byteOffset}`);
  }
  return { name, argument, next: at + 1 };
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly next: number;
}

interface Place {
  readonly name: string;
  readonly byteOffset: number;
}

function readAttribute(html: string, start: number, tag: Place): Attribute {
  const name = /^[^\s=>]*/.exec(html.slice(start))?.[0] ?? "";
  if (name === "" && start < html.length) {
    throw new HtmlFault(`Empty attribute name in the tag "${tag.name}" at byte offset ${tag.byteOffset}`);
  }
  let at = skipBlanks(html, start + name.length);
  if (html[at] !== "=") {
    if (at >= html.length) throw new HtmlFault(`Unclosed start tag at byte offset ${tag.byteOffset}`);
    return { name, value: "", next: at };
  }
  at = skipBlanks(html, at + 1);
  const first = html[at];
  if (first === undefined) {
    throw new HtmlFault(`Unclosed start tag "${tag.name}" at byte offset ${tag.byteOffset}`);
  }
  const value = first === '"' || first === "'" ? readQuoted(html, at) : readNameToken(html, at);
  if (value.next >= html.length) {
    throw new HtmlFault(`Unclosed start tag at byte offset ${tag.byteOffset}`);
  }
  return { name, ...value };
}

function readNameToken(html: string, start: number): { value: string; next: number } {
  const token = /^[a-z0-9.-]*/i.exec(html.slice(start))?.[0] ?? "";
  const next = start + token.length;
  if (!/[\s>]/.test(html[next] ?? "")) {
    const byteOffset = Buffer.byteLength(html.slice(0, start));
    throw new HtmlFault(`Unexpected end of name token at byte offset ${byteOffset}`);
  }
  return { value: token.toLowerCase(), next };
}

function readQuoted(html: string, start: number): { value: string; next: number } {
  const quote = html[start];
  let value = "";
  let at = start + 1;
  while (at < html.length && html[at] !== quote) {
    const reference = html[at] === "&" ? decodeReference(html, at) : undefined;
    value += reference?.text ?? html[at];
    at = reference?.next ?? at + 1;
  }
  return { value, next: at + 1 };
}

function argumentOf(tag: string, { name, value }: Attribute): string | undefined {
  const key = `${tag} ${name}`;
  switch (key) {
    case "a href":
    case "tg-emoji emoji-id":
      return value;
    case "code class":
      return value.startsWith("language-") ? value.slice("language-".length) : undefined;
    case "span class":
      return value.startsWith("tg-") ? value.slice("tg-".length) : undefined;
    case "blockquote expandable":
      return "expandable";
    default:
      return undefined;
  }
}

function skipBlanks(html: string, start: number): number {
  let at = start;
  while (/\s/.test(html[at] ?? "")) at += 1;
  return at;
}
