/** Asks the rules of every matching search about the listing of every event. */
import type { AlertListing } from "#core/alert/alert.ts";
import type { TravelTime } from "#core/finds/find.ts";
import { askAbout, type OwnWays, type RuleDecision } from "#core/rules/decide-home.ts";
import { type RuleFacts, ruleFactsOf } from "#core/rules/rule-facts.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import {
  readSearchRules,
  readStoredWords,
  readTravelTimes,
  roundedPoint,
  type SearchRules,
} from "#store/rules/search-rules.ts";
import type { FoundEvent, FoundEvents } from "../rows/found-events.ts";

/** `wordsOf`: the words of descriptions by code; undefined if not at hand, null if there is none. */
export async function applyRules(
  db: Db,
  events: FoundEvents,
  wordsOf: ReadonlyMap<string, string | null | undefined>,
): Promise<FoundEvents> {
  const all = [...events.found, ...events.changed];
  const rulesOf = await readSearchRules(db, [...new Set(all.flatMap(searchIdsOf))]);
  if (rulesOf.size === 0) return events;
  const ruled = all.filter((event) => !event.isWanted && searchIdsOf(event).some((id) => rulesOf.has(id)));
  const codes = [...new Set(ruled.map(({ listingId }) => listingId))];
  const stored = await readStoredWords(
    db,
    codes.filter((code) => wordsOf.get(code) === undefined),
  );
  const facts = new Map(
    ruled.map(({ listingId, payload }) => [
      listingId,
      ruleFactsOf(listingOf(payload), wordsOf.get(listingId) ?? stored.get(listingId) ?? null),
    ]),
  );
  const waysOf = await readWays(db, [...rulesOf.values()], [...facts.values()]);
  const decided = (event: FoundEvent): FoundEvent => {
    const own = facts.get(event.listingId);
    return own ? { ...event, ruled: decisionsOf(searchIdsOf(event), rulesOf, own, waysOf) } : event;
  };
  return { found: events.found.map(decided), changed: events.changed.map(decided) };
}

function searchIdsOf({ filterIds, againIds = [] }: FoundEvent): readonly string[] {
  return againIds.length === 0 ? filterIds : [...filterIds, ...againIds];
}

function decisionsOf(
  searchIds: readonly string[],
  rulesOf: ReadonlyMap<string, SearchRules>,
  facts: RuleFacts,
  waysOf: (own: SearchRules, facts: RuleFacts) => OwnWays,
): Map<string, RuleDecision> {
  const decisions = new Map<string, RuleDecision>();
  const ask = askAbout(facts);
  for (const id of searchIds) {
    const own = rulesOf.get(id);
    const decision = own && ask(own.rules, () => waysOf(own, facts));
    if (decision && decision.act !== "alert") decisions.set(id, decision);
  }
  return decisions;
}

/** Read only if a rule asks for minutes. */
async function readWays(
  db: Db,
  rules: readonly SearchRules[],
  facts: readonly RuleFacts[],
): Promise<(own: SearchRules, facts: RuleFacts) => OwnWays> {
  const asking = rules.filter((own) => own.rules.some(({ isPersonal }) => isPersonal));
  if (asking.length === 0) return () => ({ places: [], travelTimes: [] });
  const placeIds = [...new Set(asking.flatMap(({ places }) => places.map(({ id }) => id)))];
  const times: Map<string, TravelTime[]> = await readTravelTimes(
    db,
    placeIds,
    facts.flatMap((one) => pointOf(one) ?? []),
  );
  return ({ places }, one) => {
    const point = pointOf(one);
    const known = point ? times.get(`${point.latitude} ${point.longitude}`) : undefined;
    return { places, travelTimes: known ?? [] };
  };
}

function pointOf({ latitude, longitude }: RuleFacts) {
  return latitude === null || longitude === null ? undefined : roundedPoint(latitude, longitude);
}

/** The watcher writes the payloads of events about listings itself. */
function listingOf(payload: unknown): AlertListing {
  return (payload as { readonly listing: AlertListing }).listing;
}
