// The one connection that LISTENs. Lost, it is made anew with a growing pause; what happened meanwhile is unknown,
// which is why the loss is reported and not papered over.
//
//   connecting ──listen──► listening ──closed, or no answer to a check──► waiting ──pause over──► connecting
//        └────────────────────failed─────────────────────────────────────────┘
import postgres from "postgres";
import { ENDED_SESSIONS_CHANNEL } from "../auth/auth-schema.ts";
import type { Logger } from "./logger.ts";
import { notificationChannel } from "./realtime-schema.ts";

type ListenerOptions = {
  databaseUrl: string;
  onNotification: (payload: string) => void;
  /** The id of a session that was ended, here or in another process. */
  onSessionEnded?: (sessionId: string) => void;
  /** Notifications may be missing from here on. */
  onLost: () => void;
  logger: Logger;
  /** How often the connection is asked whether it still lives: a cut cable sends no goodbye. */
  checkIntervalMs?: number;
};

// `onnotify` is not in the driver's types, though its own listen() is built on it. That one tries again in silence,
// and gives up when the server is still down at the second try.
type DriverOptions = postgres.Options<Record<string, never>> & {
  onnotify: (channel: string, payload: string) => void;
};

const shortestPauseMs = 100;
const longestPauseMs = 5000;

export class ChangeListener {
  readonly #options: Required<ListenerOptions>;
  readonly #firstListening = Promise.withResolvers<void>();
  #client: postgres.Sql | undefined;
  #isListening = false;
  #isClosed = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ListenerOptions) {
    this.#options = { checkIntervalMs: 20_000, onSessionEnded: () => {}, ...options };
    void this.#connect();
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Resolves once listening for the first time. */
  get ready(): Promise<void> {
    return this.#firstListening.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    clearTimeout(this.#timer);
    await this.#client?.end({ timeout: 0 });
  }

  async #connect(): Promise<void> {
    const driverOptions: DriverOptions = {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      connect_timeout: 10,
      onnotify: (channel, payload) => {
        if (channel === ENDED_SESSIONS_CHANNEL) this.#options.onSessionEnded(payload);
        else this.#options.onNotification(payload);
      },
      onclose: () => this.#lose(client, "connection closed"),
    };
    const client = postgres(this.#options.databaseUrl, driverOptions);
    this.#client = client;
    try {
      await client.unsafe(`listen ${notificationChannel}; listen ${ENDED_SESSIONS_CHANNEL}`);
    } catch (error) {
      this.#lose(client, error instanceof Error ? error.message : String(error));
      return;
    }
    if (!this.#isCurrent(client)) return;
    this.#failures = 0;
    this.#isListening = true;
    this.#options.logger.info({}, "realtime listens for changes");
    this.#firstListening.resolve();
    this.#scheduleCheck(client);
  }

  #isCurrent(client: postgres.Sql): boolean {
    return this.#client === client && !this.#isClosed;
  }

  #scheduleCheck(client: postgres.Sql): void {
    this.#timer = setTimeout(() => void this.#check(client), this.#options.checkIntervalMs);
  }

  async #check(client: postgres.Sql): Promise<void> {
    const answered = client`select 1`.then(
      () => true,
      () => false,
    );
    const tooLate = new Promise<boolean>((resolve) => {
      this.#timer = setTimeout(() => resolve(false), this.#options.checkIntervalMs);
    });
    const isAlive = await Promise.race([answered, tooLate]);
    if (!this.#isCurrent(client)) return;
    clearTimeout(this.#timer);
    if (isAlive) this.#scheduleCheck(client);
    else this.#lose(client, "no answer");
  }

  #lose(client: postgres.Sql, reason: string): void {
    if (!this.#isCurrent(client)) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    void client.end({ timeout: 0 });
    if (this.#isListening) {
      this.#isListening = false;
      this.#options.onLost();
    }
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#options.logger.warn({ reason, pauseMs }, "realtime lost the database; connecting again");
    this.#timer = setTimeout(() => void this.#connect(), pauseMs);
  }
}
