// A story on a new database for each test, with users who receive alert mails.
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createTestDatabase } from "../test-database.ts";
import { createStory, type Story } from "../watching/story.ts";
import { addPeople, alertsOf, type Person } from "../watching/world.ts";
import { mailEvent, receiveMail } from "./mail-events.ts";

export const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/";
export const HOUR_MS = 3_600_000;

/** Set by the hooks of `setUpMailStory`. */
export let story: Story;

export function setUpMailStory(): void {
  beforeAll(async () => {
    story = await createStory(1_000);
  });
  afterAll(() => story.portal.close());
  beforeEach(async () => {
    const database = await createTestDatabase();
    story.open(database.url);
    return async () => {
      await story.end();
      await database.drop();
    };
  });
}

/** A user whose address is a day old. */
export async function addPerson(url = RETIRO, chatIds?: readonly string[]): Promise<Person> {
  const [person] = await addPeople(story.sql, [{ url, ...(chatIds ? { chatIds } : {}) }]);
  if (!person) throw new Error("no user was added");
  await story.sql`
    insert into public.mail_addresses (user_id, token, created_at)
    values (${person.userId}, replace(${person.userId}::text, '-', ''), ${new Date(story.clock.now() - 24 * HOUR_MS)})`;
  return person;
}

export const receive = (
  userId: string,
  events: Parameters<typeof receiveMail>[1]["events"],
  sentAt?: Date | null,
) =>
  receiveMail(story.sql, {
    userId,
    events,
    at: story.clock.now(),
    ...(sentAt === undefined ? {} : { sentAt }),
  });
export const cut = (code: string, from: number, to: number) =>
  mailEvent(code, { event: "cheaper", priceEur: to, formerPriceEur: from });
export const ago = (ms: number) => new Date(story.clock.now() - ms);
export const alertsSentTo = async (userId: string) =>
  (await alertsOf(story.sql, ["new", "price-drop"]))
    .filter((alert) => alert.userId === userId)
    .map(({ kind, listingId, payload }) => [
      kind,
      listingId,
      (payload.listing as { priceEur: number }).priceEur,
    ]);
export const detailsOf = async (userId: string, code: string) => {
  const [row] = await story.sql`
    select details from public.listings where user_id = ${userId} and listing_id = ${code}`;
  return row?.details;
};
