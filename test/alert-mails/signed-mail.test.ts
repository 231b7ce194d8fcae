import { expect, test } from "vitest";
import { readAlertMail } from "#alert-mails/read/read-alert-mail.ts";
import { verifySignature } from "#alert-mails/verify/verify-signature.ts";
import { alertMail, forwardingQuestion, makeDkimKey, signMail } from "./signed-mail.ts";

const NOW = new Date("2026-11-15T12:00:00Z");

test("MAIL-01 MAIL-02 a signed alert mail is accepted and read back", async () => {
  const key = makeDkimKey();
  const facts = {
    code: "112233445",
    priceEur: 225_000,
    formerPriceEur: 230_000,
    isPrivate: true,
    sentAt: NOW,
  };
  const raw = await signMail(alertMail(facts), key, NOW);
  const resolveText = async (name: string) => (name === key.record.name ? [[key.record.text]] : []);
  expect(await verifySignature(raw, "idealista.com", { resolveText, now: NOW })).toMatchObject({
    type: "signed",
  });
  const { reading, sentAt } = await readAlertMail(raw);
  expect(sentAt).toEqual(NOW);
  expect(reading).toMatchObject({
    type: "alert",
    events: [
      {
        event: "cheaper",
        code: "112233445",
        priceEur: 225_000,
        formerPriceEur: 230_000,
        isPrivate: true,
        rooms: 3,
        areaM2: 92,
        searchUrl: "https://www.idealista.com/venta-viviendas/madrid-madrid/",
      },
    ],
  });
});

test("MAIL-07 a signed forwarding question is accepted", async () => {
  const key = makeDkimKey("google.com");
  const raw = await signMail(forwardingQuestion({ code: "987654321", sentAt: NOW }), key, NOW);
  const resolveText = async () => [[key.record.text]];
  expect(await verifySignature(raw, "google.com", { resolveText, now: NOW })).toMatchObject({
    type: "signed",
  });
  expect((await readAlertMail(raw)).reading).toMatchObject({
    type: "forwarding-question",
    code: "987654321",
    link: expect.stringMatching(/^https:\/\/mail-settings\.google\.com\/mail\/vf-/),
  });
});
