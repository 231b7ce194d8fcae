/** What the server answers to the person of a component test: one search, one chat and one find. */
import { PERSON } from "./person.ts";

const NOW = "2026-11-19T08:00:00Z";
export const SEARCH_ID = "00000000-0000-4000-8000-00000000000b";
export const LISTING_ID = "100000001";

const SEARCH = {
  id: SEARCH_ID,
  filter_url: "https://www.idealista.com/venta-viviendas/madrid-madrid/",
  receiver_ids: ["700000001"],
  name: null,
  is_paused: false,
  quiet_from: "23:00:00",
  quiet_until: "08:00:00",
  rules: [],
  is_folded: false,
  is_first: true,
  created_at: NOW,
  updated_at: NOW,
};

const FIND = {
  ...{
    listingId: LISTING_ID,
    homeId: `home ${LISTING_ID}`,
    url: "https://www.idealista.com/inmueble/100000001/",
  },
  ...{
    title: "Piso en calle de Prueba",
    operation: "sale",
    kind: "homes",
    typology: "flat",
    subTypology: null,
  },
  ...{
    priceEur: 300_000,
    formerPriceEur: null,
    pricePerM2Eur: 4_000,
    comparison: null,
    areaM2: 75,
    rooms: 2,
  },
  ...{
    bathrooms: 1,
    floor: "2",
    hasLift: true,
    isExterior: true,
    isPrivate: null,
    address: "Calle de Prueba, 1",
  },
  ...{ neighborhood: "Sol", district: "Centro", municipality: "Madrid", placeId: null, latitude: null },
  ...{ longitude: null, isAddressShown: true, pictureUrl: null, photoCount: 0, searchIds: [SEARCH_ID] },
  ...{
    foundAt: NOW,
    lastSeenAt: NOW,
    notSeenSince: null,
    goneAt: null,
    mark: null,
    note: null,
    leftOutBy: [],
  },
  ...{ advertCount: 1, travelTimes: [], warnings: [] },
};

const WATCH = {
  ...{ id: SEARCH_ID, interval_seconds: 600, next_check_at: NOW, is_paused: false, problem: null },
  chats: { named: 1, connected: 1, waiting: 0, lost: 0, only_chat: { state: "connected", reason: null } },
  ...{ muted_until: null, is_held: false, baseline_at: NOW, last_ok_at: NOW, failing_since: null },
  ...{ failure_reason: null, spent_until: null, waits_until: null, is_served_by_mail: false },
  alerts: { found: 1, sent: 1, waiting: 0, undelivered: 0 },
  ...{ last_sent: null, freshness: null, last_find: null, latest_alerts: [], late_since: null },
};

const CHAT = {
  ...{ chat_id: 700_000_001, kind: "private", title: "Ana", state: "connected", reason: null },
  ...{ confirmed_at: NOW, receives: "all" },
};

const USER = {
  ...PERSON,
  email_confirmed_at: NOW,
  aud: "authenticated",
  app_metadata: {},
  user_metadata: {},
};

const CONFIG = {
  ...{ supabaseUrl: "http://localhost:3000", publishableKey: "key", botUsername: "sereno_bot" },
  ...{ telegramLinkUrl: "https://t.me", searchByUrl: true, googleSignIn: false, telegramSignIn: false },
  ...{ canLinkTelegram: false, supportUrl: "", legalSiteUrl: "", checkIntervalSeconds: 600 },
  ...{ mailDomain: "mail.example", sendsMail: true, offlinePages: false, hasMapTiles: false },
};

export const STORED: Readonly<Record<string, () => unknown>> = {
  "config.json": () => CONFIG,
  user: () => USER,
  profiles: () => ({
    full_name: "Ana",
    email: PERSON.email,
    language: "en",
    mails_when_away: true,
    time_zone: null,
  }),
  searches: () => [SEARCH],
  chats: () => [CHAT],
  own_places: () => [],
  find_settings: () => ({
    ...{ hidden_warnings: [], who: "Two people", job: null, moving_from: null, about: null, updated_at: NOW },
  }),
  mail_addresses: () => null,
  received_mails: () => [],
  watch_intervals: () => [{ interval_seconds: 600, spent_until: null }],
  "rpc my_watches": () => [WATCH],
  "rpc my_sessions": () => [],
  "rpc my_security_events": () => [],
  "rpc my_finds": () => ({ finds: [FIND], next: null, count: 1, zones: [] }),
  "rpc my_find": () => ({
    ...FIND,
    ...{ prices: [], adverts: [], photos: [], zonePricesPerM2: [], zoneCount: 0 },
  }),
  "rpc my_past_homes": () => [],
  "rpc my_failed_alerts": () => [],
  "rpc has_password": () => true,
  "rpc preview_search": () => null,
  "rpc create_telegram_link": () => ({ token: "token" }),
};
