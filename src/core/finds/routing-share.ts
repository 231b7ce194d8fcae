/** Limits how much of the routing server's daily quota one person may use: repeatedly moving a place must not use up the others' share. */

/** On foot and by bicycle. */
export const REQUESTS_PER_PLACE = 2;

/** Enough to ask about each of a person's places once. */
const PERSON_MINIMUM = 3 * REQUESTS_PER_PLACE;
/** With the public server's 500 requests a day this is twelve places with 49 homes each. */
const PERSON_SHARE = 0.05;

/** Requests in the current hour and in the 24 hours that end with it. */
export interface RoutingUse {
  readonly personInHour: number;
  readonly personInDay: number;
  readonly allInDay: number;
}

/** The most that may have been used before another place is asked about. */
export function routingLimits(dailyRequests: number): RoutingUse {
  const personInDay = Math.max(PERSON_MINIMUM, Math.floor(dailyRequests * PERSON_SHARE));
  return {
    personInHour: Math.max(PERSON_MINIMUM, Math.floor(personInDay / 2)) - REQUESTS_PER_PLACE,
    personInDay: personInDay - REQUESTS_PER_PLACE,
    allInDay: dailyRequests - REQUESTS_PER_PLACE,
  };
}

export function isWithin(use: RoutingUse, limits: RoutingUse): boolean {
  return (
    use.personInHour <= limits.personInHour &&
    use.personInDay <= limits.personInDay &&
    use.allInDay <= limits.allInDay
  );
}
