import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import type { Fault } from "#simulators/telegram/faults.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let database: TestDatabase;
let sql: Sql;
let delivery: DeliveryRun;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url });
  delivery = await startDeliveryRun({ sql, floodControl: true });
});

afterAll(async () => {
  await delivery.close();
  await sql.end();
  await database.drop();
});

/** Refusals of content: those of reference/telegram-and-delivery.md, and ten that nobody has seen yet. */
const WORDS: readonly string[] = [
  ...["can't parse entities: unsupported start tag", "message is too long", "message caption is too long"],
  ...[
    "text is too long",
    "MEDIA_CAPTION_TOO_LONG",
    "wrong HTTP URL specified",
    "failed to get HTTP URL content",
  ],
  ...["wrong type of the web page content", "can't upload file by URL", "PHOTO_INVALID_DIMENSIONS"],
  ...[
    "can't use the media of the specified type in the album",
    "IMAGE_PROCESS_FAILED",
    "EXTERNAL_URL_INVALID",
  ],
  ...["WEBPAGE_CURL_FAILED", "BUTTON_DATA_INVALID", "BUTTON_URL_INVALID", "reply markup is too long"],
  ...["inline keyboard button URL is invalid", "not enough rights to send photos to the chat"],
  ...[
    "PHOTO_SAVE_FILE_INVALID",
    "MEDIA_EMPTY",
    "PHOTO_EXT_INVALID",
    "file is too big",
    "PHOTO_COLOUR_UNSUITED",
  ],
  ...[
    "CONTENT_TOO_PRETTY",
    "keyboard is not of this world",
    "TEXT_FLAVOUR_INVALID",
    "entity 7 is of a new kind",
  ],
  ...["message was too quick"],
];

type Given = Omit<Fault, "chatId">;
const refused = (words: string, more: Partial<Given> = {}): Given => ({
  kind: "error",
  method: words.includes("photo") || /MEDIA|PHOTO|URL|file|album/i.test(words) ? "sendPhoto" : "sendMessage",
  errorCode: 400,
  description: `Bad Request: ${words}`,
  ...more,
});
const FAULTS: readonly { readonly fault: Given; readonly isLost?: boolean }[] = [
  ...WORDS.map((words) => ({ fault: refused(words, { forMs: 25 * HOUR, method: "sendPhoto" }) })),
  ...WORDS.slice(-10).map((words) => ({ fault: refused(words, { times: 3, method: "sendMessage" }) })),
  // A content that is refused in every form is shown as failed.
  { fault: refused("NOTHING_WILL_DO", { forMs: 25 * HOUR, method: "sendMessage" }), isLost: true },
  ...(["drop", "half"] as const).flatMap((kind) => [
    { fault: { kind, times: 1 } as const },
    { fault: { kind, method: "sendPhoto", forMs: 25 * HOUR } as const },
    { fault: { kind, method: "sendMessage", forMs: 25 * HOUR } as const },
  ]),
  ...(["reset", "html", "empty", "not-ok"] as const).map((kind) => ({ fault: { kind, times: 2 } as const })),
  { fault: { kind: "error", errorCode: 500, description: "Internal Server Error", forMs: 20 * MINUTE } },
  { fault: { kind: "storm", forMs: 5 * MINUTE, retryAfter: 30 } },
  {
    fault: {
      kind: "error",
      errorCode: 429,
      description: "Too Many Requests: retry after 600",
      retryAfter: 600,
      times: 3,
    },
  },
];

test("LAST-01 LAST-02 RUN-09 a day of refusals, cut answers and floods: all arrives or is shown as failed, in order, with few copies", {
  timeout: 600_000,
}, async () => {
  const chats: { chat: number; user: string; isLost: boolean; fault: Given }[] = [];
  for (const { fault, isLost = false } of FAULTS) {
    const { user, chat } = await delivery.person("private");
    chats.push({ chat, user, isLost, fault });
    const code = (number: number) => `${chat % 1_000_000}${number}`;
    // Only the second of four is faulty: the others show that it does not block the chat.
    delivery.telegram.faults.set({ ...fault, chatId: chat, text: "faulty" });
    await delivery.add(
      ...[0, 1, 2, 3].map((number) => ({
        ...{ userId: user, chatId: chat, kind: "new" as const },
        payload: {
          listing: listingOf(code(number), {
            pictureUrl: "https://img4.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/aa/bb/1.jpg",
            ...{ address: number === 1 ? "calle faulty" : `calle ${number}`, neighborhood: null },
          }),
        },
      })),
    );
  }
  await delivery.run(await delivery.startSender(delivery.channel(1)), 26 * HOUR);
  const failed = await sql<{ chat: string; failure: string }[]>`
    select chat_id::text as chat, failure from watch.alerts where failure is not null`;
  for (const { chat, isLost, fault } of chats) {
    const texts = delivery.textsIn(chat);
    const at = { fault, texts };
    const isShown = failed.some((one) => one.chat === String(chat));
    const copies = texts.filter((text) => text.includes("faulty")).length;
    expect(copies > 0 || isShown, JSON.stringify(at)).toBe(true);
    expect(copies, JSON.stringify(at)).toBeLessThanOrEqual(3);
    if (isLost) expect([copies, isShown]).toEqual([0, true]);
    const others = texts
      .filter((text) => !text.includes("faulty"))
      .map((text) => /calle (\d)/.exec(text)?.[1]);
    expect(others, JSON.stringify(at)).toEqual(["0", "2", "3"]);
  }
  const [open] =
    await sql`select count(*)::int as count from watch.alerts where state in ('pending', 'sending')`;
  expect(open).toEqual({ count: 0 });
});
