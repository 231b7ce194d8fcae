import type { Readable } from "node:stream";

const FIRST_BYTES = 64 * 1024;

/** The memory shared by all mails being received. */
export interface ByteBudget {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createByteBudget(total: number): ByteBudget {
  let left = total;
  return {
    take: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give: (bytes) => {
      left += bytes;
    },
  };
}

/**
 * Reads the whole mail; `raw` is undefined if it is larger than `maxBytes` or memory is short. The stream is read to its
 * end in either case, because SMTP answers only then. It uses one growing buffer, since a mail can come in a million chunks.
 */
export async function collectMail(
  stream: Readable,
  { maxBytes, budget }: { maxBytes: number; budget: ByteBudget },
): Promise<{ raw: Buffer | undefined; release: () => void }> {
  let held = Buffer.alloc(0);
  let length = 0;
  let isDropped = false;
  const release = () => {
    budget.give(held.length);
    held = Buffer.alloc(0);
  };
  const grow = (needed: number) => {
    const size = Math.min(maxBytes, Math.max(FIRST_BYTES, needed, held.length * 2));
    if (needed > maxBytes || !budget.take(size - held.length)) return false;
    const larger = Buffer.allocUnsafe(size);
    held.copy(larger, 0, 0, length);
    held = larger;
    return true;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (isDropped) continue;
      if (length + chunk.length > held.length && !grow(length + chunk.length)) {
        isDropped = true;
        release();
        continue;
      }
      chunk.copy(held, length);
      length += chunk.length;
    }
  } catch (error) {
    release();
    throw error;
  }
  return { raw: isDropped ? undefined : held.subarray(0, length), release };
}
