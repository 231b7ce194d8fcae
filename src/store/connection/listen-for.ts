import postgres from "postgres";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  /** The connection stands, for the first time or again: what was said meanwhile is lost. */
  readonly onListening: () => void;
}

/** Listens on a connection of its own and comes back by itself after every loss of it. */
export function listenFor({ url, channel, onNotification, onListening }: ListenOptions): {
  stop(): Promise<void>;
} {
  let isStopped = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let sql: postgres.Sql | undefined;

  const connect = () => {
    const options = {
      max: 1,
      fetch_types: false,
      idle_timeout: 0,
      max_lifetime: null,
      onnotice: () => {},
      // The driver's own listen() tries once to come back and then stays silent.
      onnotify: (_channel: string, payload: string) => onNotification(payload),
      onclose: () => lost(mine),
    };
    const mine: postgres.Sql = postgres(url, options);
    sql = mine;
    mine`listen ${mine(channel)}`.then(
      () => {
        retryMs = FIRST_RETRY_MS;
        if (sql === mine) onListening();
      },
      () => lost(mine),
    );
  };
  const lost = (which: postgres.Sql) => {
    if (isStopped || sql !== which) return;
    sql = undefined;
    void which.end({ timeout: 0 }).catch(() => {});
    timer = setTimeout(connect, retryMs);
    retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
  };

  connect();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await sql?.end({ timeout: 1 });
    },
  };
}
