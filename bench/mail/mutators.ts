// Mutations of a signed alert mail: damaged, forged and hostile ones.
import { type DkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import type { Random } from "#test/seeded.ts";

export interface Original {
  readonly code: string;
  readonly priceEur: number;
  readonly formerPriceEur: number | null;
  readonly unsigned: string;
  readonly raw: Buffer;
}

export interface MutationContext {
  readonly original: Original;
  readonly other: Original;
  readonly random: Random;
  /** The portal's key and somebody else's. */
  readonly key: DkimKey;
  readonly strangersKey: DkimKey;
}

export interface Mutator {
  /** In percent. */
  readonly weight: number;
  /** Whether the portal's signature covers the result. "perhaps" if the signature's rules allow the change. */
  readonly isSigned: "yes" | "no" | "perhaps";
  /** Whether the page is unchanged, so that its event must be read. */
  readonly isWhole?: boolean;
  readonly mutate: (context: MutationContext) => Buffer | Promise<Buffer>;
}

const MB = 1024 * 1024;
const text = (raw: Buffer) => raw.toString("latin1");
const bytes = (written: string) => Buffer.from(written, "latin1");
const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

function parts(mail: string): { head: string; body: string } {
  const at = mail.indexOf("\r\n\r\n");
  return { head: mail.slice(0, at), body: mail.slice(at + 4) };
}

function htmlOf(mail: string): string {
  return Buffer.from(parts(mail).body, "base64").toString("utf8");
}

/** The same mail with another page. */
function withHtml(mail: string, html: string, { charset = "UTF-8", encoding = "base64" } = {}): string {
  const head = parts(mail)
    .head.replace(/charset=[\w-]+/, `charset=${charset}`)
    .replace(/^Content-Transfer-Encoding: \S+/m, `Content-Transfer-Encoding: ${encoding}`);
  const content = Buffer.from(html);
  const body =
    encoding === "base64"
      ? content.toString("base64").replaceAll(/.{76}/g, "$&\r\n")
      : content.toString("latin1");
  return `${head}\r\n\r\n${body}\r\n`;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function nested(mail: string, depth: number): string {
  const { head, body } = parts(mail);
  const [type = "", encoding = ""] = [
    /Content-Type:.*/.exec(head)?.[0],
    /Content-Transfer-Encoding:.*/.exec(head)?.[0],
  ];
  let made = head
    .replace(type, "")
    .replace(encoding, "")
    .replaceAll(/(?:\r\n)+/g, "\r\n")
    .trim();
  for (let level = 0; level < depth; level += 1) {
    made += `\r\nContent-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}`;
  }
  return `${made}\r\n${type}\r\n${encoding}\r\n\r\n${body}`;
}

const HOSTILE_HTML: readonly ((html: string, random: Random) => string)[] = [
  (html) => `<script>document.write("<p>1 €</p>")</script>${html}<script src=//example.net/x.js></script>`,
  (html) => html.replaceAll("<td>", '<td onmouseover="alert(1)">'),
  (html) => `${"<div>".repeat(30_000)}${html}`,
  (html) => `${html}${"<a href='https://www.idealista.com/inmueble/1/'>x</a>".repeat(3_000)}`,
  (html) => `<p>${"1.234,".repeat(50_000)}</p>${html}`,
  (html) => `<p>${"9".repeat(300_000)}</p>${html}`,
  (html) => `<p>${" ".repeat(200_000)}€</p>${html}`,
  (html) => `${"<!--".repeat(20_000)}${html}`,
  (html) => `<p title="${"en ".repeat(60_000)}">${html}`,
  (html) =>
    html.replace("<body>", `<body><a href="https://www.idealista.com/?${"a=b&".repeat(50_000)}">x</a>`),
  (html) => html.replaceAll("<!--", "<!- -"),
  (html) => html.replaceAll(/<!--.*?-->/gs, ""),
  (html, random) => html.replaceAll(/<\/(?:td|tr|table|p|span|a)>/g, (tag) => (random() < 0.5 ? "" : tag)),
  (html, random) => shuffled(html.split(/(?=<tr>|<p>|<!--)/), random).join(""),
  (html, random) => html.slice(0, Math.floor(html.length * random())),
];

export const MUTATORS: Readonly<Record<string, Mutator>> = {
  untouched: { weight: 3, isSigned: "yes", isWhole: true, mutate: ({ original }) => original.raw },
  "headers of a forwarder in front": {
    weight: 4,
    isSigned: "yes",
    isWhole: true,
    mutate: ({ original }) =>
      Buffer.concat([
        bytes("Received: from a by b\r\nX-Forwarded-To: c@example.com\r\nDelivered-To: d\r\n"),
        original.raw,
      ]),
  },
  "case and space of header names": {
    weight: 3,
    isSigned: "yes",
    isWhole: true,
    mutate: ({ original }) =>
      bytes(
        text(original.raw)
          .replace(/^Subject: /m, "SUBJECT:   ")
          .replace(/^From: /m, "fRoM: "),
      ),
  },
  cut: {
    weight: 8,
    isSigned: "no",
    mutate: ({ original, random }) =>
      original.raw.subarray(0, Math.floor(original.raw.length * 0.98 * random())),
  },
  "a byte changed": {
    weight: 12,
    isSigned: "perhaps",
    mutate: ({ original, random }) => {
      const raw = Buffer.from(original.raw);
      // A change in the last line's end may not affect what was signed.
      const at = Math.floor(random() * (raw.length - 8));
      raw[at] = (raw[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      return raw;
    },
  },
  "lines in another order": {
    weight: 8,
    isSigned: "no",
    mutate: ({ original, random }) => bytes(shuffled(text(original.raw).split("\r\n"), random).join("\r\n")),
  },
  "re-encoded, as some forwarders do": {
    weight: 7,
    isSigned: "no",
    mutate: ({ original }) => {
      const { head } = parts(text(original.raw));
      return bytes(withHtml(`${head}\r\n\r\n`, htmlOf(original.unsigned), { encoding: "8bit" }));
    },
  },
  "another charset declared": {
    weight: 5,
    isSigned: "no",
    mutate: ({ original, random }) =>
      bytes(
        text(original.raw).replace(
          "charset=UTF-8",
          `charset=${pick(random, ["utf-16", "iso-8859-1", "klingon", "x".repeat(5_000)])}`,
        ),
      ),
  },
  "another charset, signed by the portal": {
    weight: 3,
    isSigned: "perhaps",
    mutate: ({ original, random, key }) => {
      const charset = pick(random, ["utf-16le", "iso-8859-1", "windows-1251", "koi8-r", "shift_jis"]);
      return signMail(withHtml(original.unsigned, htmlOf(original.unsigned), { charset }), key);
    },
  },
  "nested a thousand deep": {
    weight: 2,
    isSigned: "no",
    mutate: ({ original }) => bytes(nested(text(original.raw), 1_000)),
  },
  "nested a thousand deep, signed by the portal": {
    weight: 1,
    isSigned: "perhaps",
    mutate: ({ original, key }) => signMail(nested(original.unsigned, 1_000), key),
  },
  "20 MB": {
    weight: 0.2,
    isSigned: "no",
    mutate: ({ original }) => Buffer.concat([original.raw, Buffer.alloc(20 * MB, "PHA+MSDigqw8L3A+\r\n")]),
  },
  "20 MB, signed by the portal": {
    weight: 0.1,
    isSigned: "perhaps",
    mutate: ({ original, key }) =>
      signMail(original.unsigned + "PHA+MSDigqw8L3A+\r\n".repeat((20 * MB) / 18), key),
  },
  "forged sender, no signature": {
    weight: 8,
    isSigned: "no",
    mutate: ({ original }) => bytes(original.unsigned),
  },
  "signature of another domain": {
    weight: 8,
    isSigned: "no",
    mutate: ({ original, strangersKey }) => signMail(original.unsigned, strangersKey),
  },
  "another domain's key under the portal's name": {
    weight: 4,
    isSigned: "no",
    mutate: ({ original, key, strangersKey }) =>
      signMail(original.unsigned, { ...strangersKey, domain: key.domain, selector: key.selector }),
  },
  "another mail's signature": {
    weight: 5,
    isSigned: "no",
    mutate: ({ original, other }) =>
      bytes(/^DKIM-Signature:[\s\S]*?\r\n(?!\s)/.exec(text(other.raw))?.[0] + original.unsigned),
  },
  "a header twice": {
    weight: 5,
    isSigned: "no",
    mutate: ({ original, other, random }) => {
      const name = pick(random, [
        "From",
        "Subject",
        "Date",
        "Content-Type",
        "Content-Transfer-Encoding",
        "MIME-Version",
      ]);
      const line = new RegExp(`^${name}:.*\\r\\n`, "m").exec(other.unsigned)?.[0] ?? `${name}: x\r\n`;
      return bytes(
        random() < 0.5
          ? line + text(original.raw)
          : text(original.raw).replace(/\r\n\r\n/, `\r\n${line}\r\n`),
      );
    },
  },
  "a part signed, more behind it": {
    weight: 3,
    isSigned: "no",
    mutate: ({ original, other }) =>
      bytes(text(original.raw).replace(/; bh=/, "; l=10; bh=") + htmlOf(other.unsigned)),
  },
  "half a base64": {
    weight: 3,
    isSigned: "no",
    mutate: ({ original, random }) =>
      bytes(
        text(original.raw).replace(
          /\r\n([\w+/]{30})[\w+/]{46}\r\n/,
          (_, kept) => `\r\n${kept}${random() < 0.5 ? "=" : ""}\r\n`,
        ),
      ),
  },
  "a hostile page, signed by the portal": {
    weight: 8,
    isSigned: "perhaps",
    mutate: ({ original, random, key }) =>
      signMail(
        withHtml(original.unsigned, pick(random, HOSTILE_HTML)(htmlOf(original.unsigned), random)),
        key,
      ),
  },
};
