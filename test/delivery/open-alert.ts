import type { OpenAlert } from "#telegram/send/rows/outbox.ts";

/** A new listing for a connected private chat. */
export const openAlertOf = (changes: Partial<OpenAlert>): OpenAlert => ({
  ...{
    id: "1",
    chatId: "7",
    userId: "u",
    kind: "new",
    payload: {},
    attempts: 0,
    unanswered: 0,
    position: 1,
    heldMs: null,
  },
  ...{ eventKey: "", createdMs: 0, mailedMs: null, failingSinceMs: null, searchIds: null, isHidden: false },
  ...{ chatState: "connected", chatReason: null, consentAnswer: null },
  ...{ isSentForOther: false, noticeFacts: null },
  ...{ isSilent: false, isBroughtBack: false, isAskedFor: false },
  ...{ receives: "everything", isShortlisted: false, hasInlineMode: false },
  ...{ mainAppOf: null, isOwnTelegram: false },
  ...{ seenMs: null, source: null, firstMessageId: null, chatKind: "private", chatStanding: "ok" },
  ...{ givenLanguage: null, chatLanguage: null, lastLanguage: null, telegramLanguage: null },
  ...{ personLanguage: null, wasGreeted: false },
  ...{ mark: null, chatMark: null, note: null, travelTimes: [], homeId: null, people: [] },
  ...changes,
});
