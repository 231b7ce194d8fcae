import { expect, test } from "vitest";
import { parseHtml } from "./parse-html.ts";

const entity = (type: string, offset: number, length: number, more: object = {}) => ({
  type,
  offset,
  length,
  ...more,
});

test.each([
  ["plain", "plain", []],
  ["<b>Madrid</b>", "Madrid", [entity("bold", 0, 6)]],
  ["<STRONG>a</Strong>", "a", [entity("bold", 0, 1)]],
  ["<i>a</i><em>b</em>", "ab", [entity("italic", 0, 1), entity("italic", 1, 1)]],
  ["<u>a</u><ins>b</ins>", "ab", [entity("underline", 0, 1), entity("underline", 1, 1)]],
  [
    "<s>a</s><del>b</del><strike>c</strike>",
    "abc",
    [0, 1, 2].map((offset) => entity("strikethrough", offset, 1)),
  ],
  ["<tg-spoiler>a</tg-spoiler>", "a", [entity("spoiler", 0, 1)]],
  ["🏠 <b>🏮🏮</b>", "🏠 🏮🏮", [entity("bold", 3, 4)]],
  ["<b>a<i>b</i></b>", "ab", [entity("bold", 0, 2), entity("italic", 1, 1)]],
  ["<i><b>a</b></i>", "a", [entity("bold", 0, 1), entity("italic", 0, 1)]],
  ["<b>a</>", "a", [entity("bold", 0, 1)]],
  ["<b >a</b  >", "a", [entity("bold", 0, 1)]],
  ["<b lang=es data>a</b>", "a", [entity("bold", 0, 1)]],
  ["x<b></b>", "x", []],
  ["&lt;b&gt; &amp; &quot;", '<b> & "', []],
  ["&lt &#65;&#x42;&#x1f3e0;", "< AB🏠", []],
  ["&nbsp;&apos;&AMP;&#0;&#99999999;&", "&nbsp;&apos;&AMP;&#0;&#99999999;&", []],
  ["a > b", "a > b", []],
  [
    '<a href="https://www.idealista.com/inmueble/1/?a=1&amp;b=2">x</a>',
    "x",
    [entity("text_link", 0, 1, { url: "https://www.idealista.com/inmueble/1/?a=1&b=2" })],
  ],
  ["<a href='EXAMPLE.com'>x</a>", "x", [entity("text_link", 0, 1, { url: "http://example.com/" })]],
  ["<a>example.com/a</a>", "example.com/a", [entity("text_link", 0, 13, { url: "http://example.com/a" })]],
  ['<a href="http://localhost:3000">x</a>', "x", []],
  ['<a href="javascript:alert(1)">x</a>', "x", []],
  ["<code>-100</code>", "-100", [entity("code", 0, 4)]],
  ["<pre>a\nb</pre>", "a\nb", [entity("pre", 0, 3)]],
  ["<pre><code>a</code></pre>", "a", [entity("code", 0, 1), entity("pre", 0, 1)]],
  ["<blockquote>a</blockquote>", "a", [entity("blockquote", 0, 1)]],
])("%s is read", (html, text, entities) => {
  expect(parseHtml(html)).toEqual({ text, entities });
});

test.each([
  ["<p>a</p>", 'Unsupported start tag "p" at byte offset 0'],
  ["<br>", 'Unsupported start tag "br" at byte offset 0'],
  ["<br/>", 'Unsupported start tag "br/" at byte offset 0'],
  ["ñ🏠<Script>", 'Unsupported start tag "script" at byte offset 6'],
  ["1 < 2 > 0", 'Unsupported start tag "" at byte offset 2'],
  ["1 <2", "Unclosed start tag at byte offset 2"],
  ["a<", "Unclosed start tag at byte offset 1"],
  ["<b", "Unclosed start tag at byte offset 0"],
  ["<b>a", 'Can\'t find end tag corresponding to start tag "b"'],
  ["<b><i>a</i>", 'Can\'t find end tag corresponding to start tag "b"'],
  ["<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ["<b><i>a</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
  ["a</b>", "Unexpected end tag at byte offset 1"],
  ["<b>a</b", "Unclosed end tag at byte offset 4"],
  ["<b>a</b x>", "Unclosed end tag at byte offset 4"],
  ['<a href="x', "Unclosed start tag at byte offset 0"],
  ["<a href=", "Unclosed start tag at byte offset 0"],
  ["<a =x>a</a>", "Unclosed start tag at byte offset 0"],
  ["<a href=https://x.es/>a</a>", "Unclosed start tag at byte offset 0"],
  [
    "&#xD83C;",
    "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units",
  ],
])("%s is refused", (html, reason) => {
  expect(() => parseHtml(html)).toThrow(`Bad Request: can't parse entities: ${reason}`);
});
