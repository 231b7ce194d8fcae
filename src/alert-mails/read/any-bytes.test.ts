import fc from "fast-check";
import { expect, test } from "vitest";
import { alertMail } from "#test/alert-mails/signed-mail.ts";
import { drawn } from "#test/seeded.ts";
import { readAlertMail } from "./read-alert-mail.ts";

const TYPES = ["alert", "digest", "forwarding-question", "not-an-alert", "unreadable"];
const MAIL = alertMail({ code: "112233445", priceEur: 225_000, formerPriceEur: 230_000 });
const HEAD = MAIL.slice(0, MAIL.indexOf("\r\n\r\n")).replace("base64", "8bit");
const HTML = Buffer.from(MAIL.slice(MAIL.indexOf("\r\n\r\n")), "base64").toString();

test("MAIL-01 reading never throws, whatever the bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (raw) => {
      expect(TYPES).toContain((await readAlertMail(raw)).reading.type);
      expect(TYPES).toContain(
        (await readAlertMail(Buffer.concat([Buffer.from(`${HEAD}\r\n\r\n`), raw]))).reading.type,
      );
    }),
    drawn(150),
  );
});

test("MAIL-01 removing, duplicating or moving parts of a mail never gives a wrong price", async () => {
  const pieces = HTML.split(/(?=<)/);
  const order = fc.array(fc.nat({ max: pieces.length - 1 }), { minLength: 1, maxLength: 2 * pieces.length });
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), async (drawn, isInOrder) => {
      const html = (isInOrder ? drawn.toSorted((a, b) => a - b) : drawn).map((at) => pieces[at]).join("");
      const { reading } = await readAlertMail(Buffer.from(`${HEAD}\r\n\r\n${html}`));
      if (reading.type !== "alert" && reading.type !== "digest") return;
      for (const { code, priceEur, formerPriceEur } of reading.events) {
        expect([code, priceEur]).toEqual(["112233445", expect.toBeOneOf([225_000, 230_000])]);
        // Without the new price, the old one is the only price.
        if (priceEur === 230_000) expect(formerPriceEur).toBeNull();
      }
    }),
    drawn(300),
  );
});
