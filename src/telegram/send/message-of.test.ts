import { expect, test } from "vitest";
import type { AlertKind } from "#core/alert/alert-kinds.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { openAlertOf } from "#test/delivery/open-alert.ts";
import { languageOfAlert, messageOf, replyTargetOf } from "./message-of.ts";
import type { Audience } from "./rows/audiences.ts";
import type { OpenAlert } from "./rows/outbox.ts";

const all = { lastLanguage: "es", telegramLanguage: "de", personLanguage: "fr" } as const;
const languages = (changes: Partial<OpenAlert>) => languageOfAlert(openAlertOf({ ...all, ...changes }));

test("an alert is in its person's language, a question and the first greeting in the chat's", () => {
  const of = (kind: AlertKind) => languages({ kind });
  expect([of("new"), of("question"), of("connected"), of("watch-started")]).toEqual(["fr", "de", "de", "es"]);
  expect(languages({ kind: "watch-started", wasGreeted: true })).toBe("fr");
  expect(languages({ personLanguage: null })).toBe("de");
  expect(languages({ kind: "question", telegramLanguage: null })).toBe("es");
  expect(languages({ kind: "watch-started", lastLanguage: null })).toBe("de");
});

test("a sent message keeps its language, unless the chat has chosen one", () => {
  expect(languages({ givenLanguage: "ru" })).toBe("ru");
  expect(languages({ givenLanguage: "ru", chatLanguage: "en" })).toBe("en");
  expect(languages({ kind: "question", chatLanguage: "en" })).toBe("en");
});

test("news about a known home replies to the chat's first message about it, under whichever code", () => {
  const target = (kind: AlertKind, payload: object = {}) =>
    replyTargetOf(openAlertOf({ kind, payload, firstMessageId: "5" }));
  expect((["price-drop", "back", "gone", "kept"] as const).map((kind) => target(kind))).toEqual(
    Array(4).fill("5"),
  );
  expect([target("new"), target("new", { formerListingId: "6" })]).toEqual([null, "5"]);
  expect(target("watch-started")).toBeNull();
});

test("MINI-01 MINI-03 the app opens by a button in the private chat of the account's own Telegram user, in groups by a link", () => {
  const audience = {
    searches: [],
    hiddenWarnings: [],
    places: [],
    mutedUntilMs: null,
  } as unknown as Audience;
  const opens = (changes: Partial<OpenAlert>) => {
    const alert = openAlertOf({ payload: { listing: listingOf("7") }, ...changes });
    return messageOf({ chatId: alert.chatId, alerts: [alert], audience }, 0).news[0]?.opensApp;
  };
  expect(opens({ isOwnTelegram: true })).toBe("button");
  expect(opens({ isOwnTelegram: false })).toBeNull();
  expect(opens({ chatId: "-100", isOwnTelegram: true })).toBeNull();
  expect(opens({ chatId: "-100", mainAppOf: "sereno_bot" })).toEqual({ bot: "sereno_bot" });
});
