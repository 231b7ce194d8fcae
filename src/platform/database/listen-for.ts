import postgres from "postgres";

const FIRST_RETRY_MS = 100;
/** Short: as soon as the database is back, pages load again and would miss changes. */
const LONGEST_RETRY_MS = 1_000;

interface ListenOptions {
  readonly url: string;
  readonly channel: string | readonly string[];
  readonly onNotification: (payload: string, channel: string) => void;
  /** Connected, for the first time or again: notifications sent in between are lost. */
  readonly onListening: () => void;
  /** Notifications are missed from here on. */
  readonly onLost?: () => void;
  /** How often the connection is checked: a cut cable closes nothing. */
  readonly checkIntervalMs?: number;
}

/**
 * Listens on a connection of its own and reconnects after every loss.
 *
 *   connecting ──listen──► listening ──closed, or no answer to a check──► waiting ──pause over──► connecting
 *        └────────────────────failed─────────────────────────────────────────┘
 */
export function listenFor({ url, channel, onNotification, ...options }: ListenOptions): {
  stop(): Promise<void>;
} {
  const { onListening, onLost = () => {}, checkIntervalMs = 20_000 } = options;
  let retryMs = FIRST_RETRY_MS;
  let isListening = false;
  let timer: NodeJS.Timeout | undefined;
  let sql: postgres.Sql | undefined;

  const connect = () => {
    const driverOptions = {
      max: 1,
      fetch_types: false,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 10,
      connection: { application_name: "sereno listen" },
      onnotice: () => {},
      // The driver's own listen() retries only once.
      onnotify: (from: string, payload: string) => onNotification(payload, from),
      onclose: () => lost(mine),
    };
    const mine: postgres.Sql = postgres(url, driverOptions);
    sql = mine;
    const statements = [channel].flat().map((name) => `listen "${name}"`);
    mine.unsafe(statements.join("; ")).then(
      () => {
        if (sql !== mine) return;
        retryMs = FIRST_RETRY_MS;
        isListening = true;
        check(mine);
        onListening();
      },
      () => lost(mine),
    );
  };
  const check = (mine: postgres.Sql) => {
    timer = setTimeout(() => {
      timer = setTimeout(lost, checkIntervalMs, mine);
      mine`select 1`.then(
        () => {
          if (sql !== mine) return;
          clearTimeout(timer);
          check(mine);
        },
        () => lost(mine),
      );
    }, checkIntervalMs);
  };
  const lost = (which: postgres.Sql) => {
    if (sql !== which) return;
    sql = undefined;
    clearTimeout(timer);
    void which.end({ timeout: 0 }).catch(() => {});
    timer = setTimeout(connect, retryMs);
    retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
    if (isListening) onLost();
    isListening = false;
  };

  connect();
  return {
    stop: async () => {
      const last = sql;
      sql = undefined;
      clearTimeout(timer);
      await last?.end({ timeout: 1 });
    },
  };
}
