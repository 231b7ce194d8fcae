// A join asks the database whether its session lives and then waits for more; a session that ends meanwhile is announced
// before the channel is there to hear of it. So the announcements of the last minute are remembered.
const REMEMBERED_MS = 60_000;

export type EndedSessions = ReturnType<typeof createEndedSessions>;

export function createEndedSessions(now: () => number) {
  const endedAtMs = new Map<string, number>();
  return {
    add: (sessionId: string) => {
      // The oldest come first.
      for (const [id, atMs] of endedAtMs) {
        if (now() - atMs < REMEMBERED_MS) break;
        endedAtMs.delete(id);
      }
      endedAtMs.set(sessionId, now());
    },
    has: (sessionId: string | undefined) => sessionId !== undefined && endedAtMs.has(sessionId),
  };
}
