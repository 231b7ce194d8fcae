import { expect, test } from "vitest";
import { claimedDomainOf } from "./portal-domains.ts";

const claimed = (headers: string) => claimedDomainOf(Buffer.from(`${headers}\r\nSubject: a\r\n\r\nbody`));
const known = (domain: string) => ({ type: "known", domain });
const unknown = expect.objectContaining({ type: "unknown" });

test.each([
  ["From: idealista <noresponder@idealista.com>", known("idealista.com")],
  ["FROM :\r\n <noresponder@avisos.IDEALISTA.com>", known("idealista.com")],
  ["Received: x\r\nFrom: Alertas <alertas@email.habitaclia.com>", known("habitaclia.com")],
  ["From: Gmail Team <forwarding-noreply@google.com>", known("google.com")],
  ["From: a@notidealista.com", unknown],
  ["From: a@idealista.com.example.net", unknown],
  ["From: a@idealista.com-x.net", unknown],
  ["X-From: noresponder@idealista.com", unknown],
  ["From: a@idealista.com\r\nFrom: b@idealista.com", unknown],
  ["Subject: From: noresponder@idealista.com", unknown],
  // Verifying signatures of these would take minutes.
  [`From: a@idealista.com\r\nX: a${"\r\n b".repeat(10_000)}`, unknown],
  [`From: a@idealista.com\r\n${"X: b\r\n".repeat(20_000)}`, unknown],
  ["", unknown],
])("MAIL-02 %.60s", (headers, expected) => {
  expect(claimed(headers)).toEqual(expected);
});
