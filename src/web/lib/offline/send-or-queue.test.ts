import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QUEUE, type QueuedChange } from "./queue.ts";
import { enqueue } from "./send-or-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("CALM-04 a change behind one that the server could not take waits too, and is compared before it is sent", async () => {
  let isDown = true;
  const sent: QueuedChange[] = [];
  const queries = new QueryClient();
  queries.setMutationDefaults<void, Error, QueuedChange>([QUEUE, "setting"], {
    mutationFn: async (change) => {
      if (isDown) throw new Error("503");
      sent.push(change);
    },
    retry: true,
    retryDelay: 1_000,
  });
  const change = (ofId: string) => ({ userId: "ana", fields: { ofId, title: "", before: {}, mine: {} } });
  expect(await enqueue(queries, "setting", change("first"))).toBe("queued");
  expect(await enqueue(queries, "setting", change("second"))).toBe("queued");
  isDown = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.map(({ fields, isLate }) => [fields?.ofId, isLate])).toEqual([
    ["first", false],
    ["second", true],
  ]);
  expect(await enqueue(queries, "setting", change("third"))).toBe("sent");
});
