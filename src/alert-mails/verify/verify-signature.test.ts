import { generateKeyPairSync } from "node:crypto";
import type { DKIMSignOptions } from "mailauth";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { expect, test } from "vitest";
import { verifySignature } from "./verify-signature.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
const NOW = new Date("2026-11-15T12:00:00Z");
const MAIL =
  "From: idealista <noresponder@idealista.com>\r\nTo: a@example.com\r\nSubject: News\r\nDate: Sun, 15 Nov 2026 11:59:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n<p>475.000 €</p>\r\n";

interface SignOptions {
  signingDomain?: string;
  selector?: string;
  maxBodyLength?: number;
  /** The value of `h=`. */
  headerList?: string;
  expires?: Date;
  signTime?: Date;
}

async function signatureOf(
  { signingDomain = "idealista.com", selector = "k1", maxBodyLength, ...options }: SignOptions = {},
  mail = MAIL,
) {
  const { signatures, errors } = await dkimSign(mail, {
    signTime: NOW,
    ...options,
    signatureData: [{ signingDomain, selector, maxBodyLength, privateKey: KEY }],
  } as unknown as DKIMSignOptions);
  expect(errors).toEqual([]);
  expect(signatures).toContain("DKIM-Signature");
  return signatures;
}

const signed = async (options?: SignOptions, mail = MAIL) =>
  Buffer.from((await signatureOf(options, mail)) + mail);

const without = (name: string) => MAIL.replace(new RegExp(`^${name}:.*\\r\\n`, "m"), "");

const resolveText = async (name: string) => {
  if (/^k1\._domainkey\.(?:[a-z]+\.)?(?:idealista\.com|google\.com|example\.net)$/.test(name))
    return [[RECORD]];
  throw Object.assign(new Error(name), { code: "ENOTFOUND" });
};
const verify = (raw: Buffer, domain = "idealista.com") =>
  verifySignature(raw, domain, { resolveText, now: NOW });

test("MAIL-02 a mail signed by the portal's domain or a subdomain is accepted", async () => {
  expect(await verify(await signed())).toEqual({ type: "signed", domain: "idealista.com" });
  expect(await verify(await signed({ signingDomain: "avisos.idealista.com" }))).toMatchObject({
    type: "signed",
  });
});

test("MAIL-02 a key with the test flag is accepted, because the portal's key had it", async () => {
  const verdict = await verifySignature(await signed(), "idealista.com", {
    now: NOW,
    resolveText: async () => [[RECORD.replace("k=rsa", "k=rsa; t=y")]],
  });
  expect(verdict).toMatchObject({ type: "signed" });
});

test("MAIL-02 headers added by a forwarder do not break the signature", async () => {
  const raw = Buffer.concat([
    Buffer.from("Received: from mx.example.org\r\nX-Forwarded-To: b@example.com\r\n"),
    await signed(),
  ]);
  expect(await verify(raw)).toMatchObject({ type: "signed" });
});

test.each([
  ["no signature", async () => Buffer.from(MAIL)],
  ["another domain's signature", () => signed({ signingDomain: "example.net" })],
  ["a domain with the same ending", () => signed({ signingDomain: "notidealista.com" })],
  ["a changed price", async () => Buffer.from((await signed()).toString().replace("475.000", "1.000"))],
  [
    "a changed sender",
    async () => Buffer.from((await signed()).toString().replace("noresponder@", "somebody@")),
  ],
  [
    "a second sender",
    async () => Buffer.from(`From: idealista <noresponder@idealista.com>\r\n${await signed()}`),
  ],
  ["a second content type", async () => Buffer.from(`Content-Type: text/plain\r\n${await signed()}`)],
  ["a second subject", async () => Buffer.from(`Subject: Cheap\r\n${await signed()}`)],
  [
    "a second subject below",
    async () => Buffer.from((await signed()).toString().replace("\r\n\r\n", "\r\nsubject : Cheap\r\n\r\n")),
  ],
  ["a second date", async () => Buffer.from(`Date: Sun, 15 Nov 2026 12:00:00 +0000\r\n${await signed()}`)],
  // Some parsers join the two lines into one header, others do not.
  [
    "a second subject that is folded before its colon",
    async () => Buffer.from(`Subject\r\n : Cheap\r\n${await signed()}`),
  ],
  ["a malformed header line", async () => Buffer.from(`\u00a0Subject: Cheap\r\n${await signed()}`)],
  ["headers that end earlier for some parsers", async () => Buffer.from(`X-A: a\r\n\r\r\n${await signed()}`)],
  ["a body length limit that covers the whole body", () => signed({ maxBodyLength: 18 })],
  [
    "a signature over a part of the body",
    async () => Buffer.concat([await signed({ maxBodyLength: 10 }), Buffer.from("<p>1 €</p>")]),
  ],
  [
    "an expired signature",
    () => signed({ expires: new Date(NOW.getTime() - 1000), signTime: new Date(NOW.getTime() - 9000) }),
  ],
  [
    "a thousand signatures",
    async () => Buffer.from("DKIM-Signature: v=1; d=idealista.com\r\n".repeat(1_000) + MAIL),
  ],
  ["a missing key", () => signed({ selector: "k2" })],
])("MAIL-02 %s is not accepted", async (_, make) => {
  expect(await verify(await make())).toMatchObject({ type: "not-signed" });
});

const ALL = "from:subject:date:content-type";

test.each(["subject", "date", "content-type"])("MAIL-02 a signature must cover %s", async (name) => {
  const headerList = ALL.replace(`:${name}`, "");
  const verdict = await verify(await signed({ headerList }));
  expect(verdict).toMatchObject({ type: "not-signed", why: `its signature does not cover ${name}` });
  const both = [await signatureOf({ headerList }), await signatureOf({ headerList: ALL })];
  expect(await verify(Buffer.from(both.join("") + MAIL))).toMatchObject({ type: "signed" });
  expect(await verify(Buffer.from(both.toReversed().join("") + MAIL))).toMatchObject({ type: "signed" });
  const foreign = await signatureOf({ headerList: ALL, signingDomain: "example.net" });
  expect(await verify(Buffer.from(foreign + both[0] + MAIL))).toMatchObject({ type: "not-signed" });
});

test.each(["Subject", "Date", "Content-Type"])(
  "MAIL-02 the signature of a mail without %s need not cover it, and the header cannot be added later",
  async (name) => {
    const raw = await signed({ headerList: ALL.replace(`:${name.toLowerCase()}`, "") }, without(name));
    expect(await verify(raw)).toMatchObject({ type: "signed" });
    const added = Buffer.from(`${name}: text/plain\r\n${raw}`);
    expect(await verify(added)).toMatchObject({ type: "not-signed" });
  },
);

test("MAIL-07 Google's signature need not cover Content-Type", async () => {
  const mail = MAIL.replace("noresponder@idealista.com", "forwarding-noreply@google.com");
  const google = (headerList: string) => signed({ headerList, signingDomain: "google.com" }, mail);
  const real = "to:from:subject:message-id:date:mime-version:from:to:cc:subject:date:message-id:reply-to";
  expect(await verify(await google(real), "google.com")).toMatchObject({ type: "signed" });
  for (const list of ["from:date", "from:subject"])
    expect(await verify(await google(list), "google.com")).toMatchObject({ type: "not-signed" });
});

test("MAIL-02 a temporarily unavailable key gives no verdict yet", async () => {
  const resolve = async () => {
    throw Object.assign(new Error("timeout"), { code: "ETIMEOUT" });
  };
  expect(
    await verifySignature(await signed(), "idealista.com", { resolveText: resolve, now: NOW }),
  ).toMatchObject({
    type: "unknown-yet",
  });
});

test("MAIL-02 only names of the portal are looked up", async () => {
  const asked: string[] = [];
  const mail = (await signed({ signingDomain: "example.net" })).toString();
  await verifySignature(Buffer.from(mail), "idealista.com", {
    now: NOW,
    resolveText: async (name) => {
      asked.push(name);
      return resolveText(name);
    },
  });
  expect(asked).toEqual([]);
});
