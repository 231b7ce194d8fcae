import { expect, test } from "vitest";
import type { ReceivedMailOutcome } from "#web/lib/backend/typed-database.ts";
import type { AlertMails, MailAddress } from "./mail-calls.ts";
import { isOfferDue, mailStateOf, noAlertReasonOf, openQuestionOf, trustedLinkOf } from "./mail-state.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 12, minute));

function mails(outcomes: Partial<Record<ReceivedMailOutcome, number>>, askedAt?: number) {
  const rows: AlertMails["mails"] = Object.entries(outcomes)
    .map(([outcome, minute]) => ({
      id: `${minute}`,
      receivedAt: at(minute),
      outcome: outcome as ReceivedMailOutcome,
      why: null,
      portal: null,
      listingCount: 0,
      newCount: 0,
    }))
    .sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime());
  const alert = rows.find(({ outcome }) => outcome === "alert" || outcome === "digest");
  const question = askedAt === undefined ? null : { code: "123456789", link: null, askedAt: at(askedAt) };
  const address: MailAddress = { token: "0".repeat(32), createdAt: at(10), question };
  return { address, mails: rows, lastAlertAt: alert?.receivedAt ?? null };
}

test("MAIL-07 a forwarding question stays open until an alert mail shows that it was answered", () => {
  expect(mailStateOf(mails({}, 20))).toBe("question");
  expect(mailStateOf(mails({ alert: 15 }, 20))).toBe("question");
  expect(mailStateOf(mails({ "not-signed": 30 }, 20))).toBe("question");
  expect(mailStateOf(mails({ alert: 30 }, 20))).toBe("working");
  expect(openQuestionOf(mails({ digest: 30 }, 20))).toBeNull();
});

test("MAIL-03 mails to a previous address do not count for the new one", () => {
  expect(mailStateOf(mails({ alert: 9 }))).toBe("waiting");
  expect(mailStateOf(mails({ "not-signed": 9 }))).toBe("waiting");
  expect(mailStateOf(mails({ alert: 10 }))).toBe("working");
});

test("MAIL-02 the last mail that should have been an alert decides whether there is trouble", () => {
  expect(mailStateOf(mails({ alert: 20, "not-signed": 30 }))).toBe("trouble");
  expect(mailStateOf(mails({ unreadable: 20, "not-an-alert": 30 }))).toBe("trouble");
  expect(mailStateOf(mails({ unreadable: 20, alert: 30 }))).toBe("working");
  expect(mailStateOf(mails({ "waiting-for-key": 20 }))).toBe("waiting");
});

test.each([
  ["https://mail-settings.google.com/mail/vf-%5Babc%5D-1", true],
  ["https://mail.google.com/mail/vf-abc", true],
  ["http://mail.google.com/mail/vf-abc", false],
  ["https://mail.google.com.evil.example/mail/vf-abc", false],
  ["https://mail.google.com@evil.example/mail/vf-abc", false],
  ["https://person:word@mail.google.com/mail/vf-abc", false],
  ["https://mail.google.com:8443/mail/vf-abc", false],
  ["javascript:alert(1)//mail.google.com", false],
  ["mail.google.com/mail/vf-abc", false],
])("MAIL-07 %s is offered as Google's page: %s", (link, isOffered) => {
  expect(trustedLinkOf(link)).toBe(isOffered ? link : undefined);
});

test("MAIL-03 alert mails are offered a day after the first search was saved", () => {
  const now = new Date("2026-11-12T13:00:00Z");
  const saved = (createdAt: string) => ({ createdAt });
  expect(isOfferDue([], now)).toBe(false);
  expect(isOfferDue([saved("2026-11-11T13:00:01Z")], now)).toBe(false);
  expect(isOfferDue([saved("2026-11-11T13:00:00Z")], now)).toBe(true);
  expect(isOfferDue([saved("2026-11-12T12:00:00Z"), saved("2026-11-01T12:00:00Z")], now)).toBe(true);
});

test("MAIL-06 the page knows when alerts reach nobody: paused, no connected chat", () => {
  const told = { filterIds: ["1", "2"], connectedIds: ["2"], isPaused: false };
  expect(noAlertReasonOf(told)).toBeNull();
  expect(noAlertReasonOf({ ...told, connectedIds: undefined })).toBeNull();
  expect(noAlertReasonOf({ ...told, connectedIds: ["3"] })).toBe("chat");
  expect(noAlertReasonOf({ ...told, isPaused: true })).toBe("paused");
});
