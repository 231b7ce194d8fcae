import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "#simulators/telegram/faults.ts";
import { addAlerts, connectPeople, newListing, openChat } from "#test/delivery/delivery-fixture.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 3600 * SECOND;
const KINDS = ["private", "group", "supergroup"] as const;
type Kind = (typeof KINDS)[number];

let sql: OwnDelivery["sql"];
let delivery: OwnDelivery;

beforeAll(async () => {
  delivery = await startOwnDelivery();
  sql = delivery.sql;
});

afterAll(() => delivery.close());

interface Row {
  readonly says: string;
  readonly fault: Omit<Fault, "chatId">;
  readonly hasPicture?: boolean;
  /** The state after the first try. */
  readonly at: {
    readonly state: string;
    readonly chat: string;
    readonly attempts: number;
    readonly isAmbiguous?: boolean;
  };
  /** How long the sender then waits, and how many messages there are in the end. */
  readonly waitsMs?: readonly [least: number, most: number];
  readonly arrives: number;
}

const refusal = (
  errorCode: number,
  description: string,
  more: Partial<Fault> = {},
): Omit<Fault, "chatId"> => ({
  kind: "error",
  method: "sendMessage",
  errorCode,
  description,
  ...more,
});
const closes = (says: string, code: number, description: string, chat: string): Row => ({
  says,
  fault: refusal(code, description),
  at: { state: "undeliverable", chat, attempts: 1 },
  arrives: 0,
});
const mended = (description: string, hasPicture = false): Row => ({
  says: "the message is repaired and sent at once",
  fault: refusal(400, `Bad Request: ${description}`, { method: hasPicture ? "sendPhoto" : "sendMessage" }),
  hasPicture,
  at: { state: "sent", chat: "connected", attempts: 1 },
  arrives: 1,
});
const retried = (says: string, fault: Omit<Fault, "chatId">, waitsMs: readonly [number, number]): Row => ({
  says,
  fault,
  at: { state: "pending", chat: "connected", attempts: 1 },
  waitsMs,
  arrives: 1,
});
const ambiguous = (says: string, fault: Omit<Fault, "chatId">, arrives: number): Row => ({
  says,
  fault,
  at: { state: "pending", chat: "connected", attempts: 1, isAmbiguous: true },
  waitsMs: [5 * SECOND, 30 * SECOND],
  arrives,
});
const muted = (description: string): Row => ({
  says: "the bot has no rights in the chat; retried after two minutes",
  fault: refusal(400, `Bad Request: ${description}`),
  at: { state: "pending", chat: "unreachable no-rights", attempts: 1 },
  waitsMs: [2 * MINUTE, 3 * MINUTE],
  arrives: 1,
});
const flooded = (fault: Partial<Fault>, waitsMs: readonly [number, number]): Row => ({
  says: "the wait is respected, and no try is counted",
  fault: { kind: "error", method: "sendMessage", errorCode: 429, ...fault },
  at: { state: "pending", chat: "connected", attempts: 0 },
  waitsMs,
  arrives: 1,
});

const chatNames: Readonly<Record<Kind, string>> = {
  private: "channel",
  group: "group",
  supergroup: "supergroup",
};
const BACK_OFF = [3 * SECOND, 4 * SECOND] as const;

const rowsFor = (kind: Kind): Row[] => [
  closes("G12 blocked", 403, "Forbidden: bot was blocked by the user", "blocked"),
  closes("G13 deactivated", 403, "Forbidden: user is deactivated", "unreachable deactivated"),
  closes(
    "G15 never started",
    403,
    "Forbidden: bot can't initiate conversation with a user",
    "unreachable not-started",
  ),
  closes(
    "G16 kicked",
    403,
    `Forbidden: bot was kicked from the ${chatNames[kind]} chat`,
    "unreachable kicked",
  ),
  closes(
    "G16 left",
    403,
    `Forbidden: bot is not a member of the ${chatNames[kind]} chat`,
    "unreachable left",
  ),
  closes("deleted", 403, "Forbidden: the group chat was deleted", "unreachable deleted"),
  closes("G14 not found", 400, "Bad Request: chat not found", "unreachable not-found"),
  closes("G14 not found", 400, "Bad Request: private chat not found", "unreachable not-found"),
  closes("G14 not found", 400, "Bad Request: PEER_ID_INVALID", "unreachable not-found"),
  closes("a mistake of ours does not close the chat", 400, "Bad Request: chat_id is empty", "connected"),
  closes(
    "a mistake of ours does not close the chat",
    400,
    "Bad Request: chat identifier must be a valid Integer",
    "connected",
  ),
  retried(
    "G17 upgraded, without the new id",
    refusal(400, "Bad Request: group chat was upgraded to a supergroup chat"),
    BACK_OFF,
  ),
  muted("not enough rights to send text messages to the chat"),
  muted("CHAT_WRITE_FORBIDDEN"),
  muted("TOPIC_CLOSED"),
  muted("message thread not found"),
  mended("not enough rights to send photos to the chat", true),
  mended('can\'t parse entities: Unsupported start tag "x" at byte offset 3'),
  mended("message is too long"),
  mended("message caption is too long", true),
  mended("text is too long"),
  mended("Wrong HTTP URL specified", true),
  mended("Failed to get HTTP URL content", true),
  mended("Wrong type of the web page content", true),
  mended("Can't use the media of the specified type in the album", true),
  mended("can't upload file by URL", true),
  mended("BUTTON_DATA_INVALID"),
  mended("BUTTON_URL_INVALID"),
  mended("reply markup is too long"),
  { ...mended("message is not modified: specified new message content is the same"), arrives: 0 },
  flooded({ retryAfter: 1 }, [SECOND, 2 * SECOND]),
  flooded({ retryAfter: 35 }, [35 * SECOND, 36 * SECOND]),
  flooded({ retryAfter: 3600 }, [HOUR, HOUR + SECOND]),
  flooded({ description: "Too Many Requests" }, [30 * SECOND, 31 * SECOND]),
  retried("G21 Telegram's server restarts", refusal(500, "Internal Server Error: restart"), BACK_OFF),
  {
    ...mended(""),
    says: "G21 it counts as sent",
    fault: refusal(500, "Internal Server Error: sent message was immediately deleted and can't be returned"),
    arrives: 0,
  },
  ambiguous("G21 a proxy's error page", { kind: "html", errorCode: 502 }, 1),
  ambiguous("G21 a proxy's error page", { kind: "html", errorCode: 503 }, 1),
  ambiguous("G21 a proxy's error page", { kind: "html", errorCode: 504 }, 1),
  ambiguous("G22 reset before it was sent", { kind: "reset" }, 1),
  ambiguous("G23 delivered without an answer", { kind: "drop" }, 2),
  ambiguous("G24 no answer", { kind: "hang" }, 1),
  ambiguous("G25 half an answer", { kind: "half" }, 2),
  ambiguous("G26 an empty answer", { kind: "empty" }, 1),
  retried("G26 not ok without a description", { kind: "not-ok" }, BACK_OFF),
  mended("something new"),
  retried("an unknown 403", refusal(403, "Forbidden: something new"), BACK_OFF),
];

describe.each(KINDS)("BOT-03 in a %s chat", (kind) => {
  const options = kind === "private" ? {} : { tags: "long" };
  test.each(rowsFor(kind))("$fault.kind $fault.errorCode $fault.description: $says", options, async (row) => {
    const chatId = openChat(delivery.telegram, kind);
    const [user = ""] = await connectPeople(sql, [{ chats: [{ id: chatId, kind }] }]);
    const pictureUrl = row.hasPicture ? "https://img.example.com/1.jpg" : null;
    await addAlerts(sql, [{ ...newListing(user, chatId, "101", { pictureUrl }), at: delivery.clock.now() }]);
    delivery.telegram.faults.set({ ...row.fault, chatId });
    // The sender of the previous case has just sent. A new sender waits until that second is over.
    delivery.clock.advance(2 * SECOND);
    // Do not wait for an answer that never comes.
    const isSilent = row.fault.kind === "hang" || row.fault.kind === "half";
    const sender = await delivery.startSender(delivery.channel(isSilent ? 0.5 : undefined));
    await delivery.run(sender);

    const [told] = await sql`
      select alerts.state, attempts, is_ambiguous, concat_ws(' ', chats.state, reason) as chat
      from watch.alerts join public.chats using (user_id, chat_id) where chat_id = ${chatId}`;
    const { isAmbiguous = false, ...at } = row.at;
    expect(told).toEqual({ ...at, is_ambiguous: isAmbiguous });

    const arrived = () =>
      delivery.telegram.ledger.accepted.filter((message) => message.chatId === chatId).length;
    if (row.waitsMs !== undefined) {
      const before = arrived();
      await delivery.run(sender, row.waitsMs[0] - 1);
      expect(arrived()).toBe(before);
      await delivery.run(
        isSilent ? await delivery.startSender() : sender,
        row.waitsMs[1] - row.waitsMs[0] + 1,
      );
      const states = await sql`
        select alerts.state, chats.state as chat
        from watch.alerts join public.chats using (user_id, chat_id) where chat_id = ${chatId}`;
      expect(states).toEqual([{ state: "sent", chat: "connected" }]);
    }
    expect(arrived()).toBe(row.arrives);
    expect(delivery.log.join()).not.toContain(delivery.telegram.bot.token);
  });
});
