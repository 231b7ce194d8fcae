/**
 * The names under which answers are cached. A key that begins with another one belongs to it, and is reloaded with it:
 * `invalidateQueries({ queryKey: queryKeys.finds(userId) })` also reloads every filtered list.
 */
import type { FindFilter } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import type { Operation } from "#core/search/search.ts";

export const queryKeys = {
  alertMails: (userId: string) => ["alert-mails", userId] as const,
  config: () => ["config"] as const,
  chats: (userId: string) => ["chats", userId] as const,
  failedAlerts: (userId: string) => ["failed-alerts", userId] as const,
  find: (userId: string, listingId: string) => ["find", userId, listingId] as const,
  findPoints: (userId: string) => ["find-points", userId] as const,
  findPointsOf: (userId: string, filter: FindFilter) => ["find-points", userId, filter] as const,
  findSettings: (userId: string) => ["find-settings", userId] as const,
  finds: (userId: string) => ["finds", userId] as const,
  findsOf: (userId: string, filter: FindFilter) => ["finds", userId, filter] as const,
  emailProof: (userId: string) => ["email-proof", userId] as const,
  hasPassword: (userId: string) => ["has-password", userId] as const,
  leftOutCounts: (userId: string, searchId: string | undefined) =>
    ["left-out-counts", userId, searchId] as const,
  pastHomes: (userId: string, searchId: string) => ["past-homes", userId, searchId] as const,
  market: (townId: string, operation: Operation) => ["market", townId, operation] as const,
  marketTowns: () => ["market-towns"] as const,
  measured: () => ["measured"] as const,
  ownMarkets: (userId: string) => ["own-markets", userId] as const,
  ownPlaces: (userId: string) => ["own-places", userId] as const,
  preview: (userId: string, filterUrl: string) => ["preview", userId, filterUrl] as const,
  profile: (userId: string) => ["profile", userId] as const,
  searches: (userId: string) => ["searches", userId] as const,
  searchNames: (language: Language, searches: unknown) => ["search-names", language, searches] as const,
  accountEvents: (userId: string) => ["sessions", userId, "activity"] as const,
  sessions: (userId: string) => ["sessions", userId] as const,
  timeZone: (userId: string) => ["time-zone", userId] as const,
  telegramUser: (userId: string) => ["telegram-user", userId] as const,
  telegramLink: (userId: string) => ["telegram-link", userId] as const,
  telegramLinkOf: (userId: string, searchId: string | undefined) =>
    ["telegram-link", userId, searchId] as const,
  watch: (userId: string) => ["watch", userId] as const,
  newSearchInterval: () => ["new-search-interval"] as const,
  zoneFigures: (provinceId: string | null, operations: readonly Operation[]) =>
    ["zone-figures", provinceId, operations] as const,
  zoneShapes: (provinceIds: readonly string[]) => ["zone-shapes", provinceIds] as const,
  land: () => ["land"] as const,
};
