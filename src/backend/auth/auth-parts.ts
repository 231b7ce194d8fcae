// What the handlers share, made once.
import type { Sql } from "postgres";
import type { ServerKeys } from "../server-keys.ts";
import { createAccessTokenCheck } from "./access-token.ts";
import { createAccounts } from "./accounts.ts";
import type { AuthEvent, RecordEvent } from "./events/auth-events.ts";
import { createSessionAnswers } from "./gotrue-shapes.ts";
import { createAuthLimits } from "./limits/auth-limits.ts";
import { createSignUpLimit } from "./limits/sign-up-limit.ts";
import { createPasswordCheck } from "./passwords/passwords.ts";
import { createReauthentication } from "./passwords/reauthentication.ts";
import { createFlowStates } from "./providers/flow-states.ts";
import type { Provider } from "./providers/providers.ts";
import { createRedirects } from "./redirects.ts";
import { createSessions, type SessionLimits } from "./sessions.ts";

export type AuthServiceOptions = {
  /** Logs in with the rights of AUTH_GRANTS, and no more. */
  sql: Sql;
  keys: ServerKeys;
  siteUrl: string;
  redirectUrls: readonly string[];
  providers: readonly Provider[];
  sendMail: SendAuthMail;
  sessionLimits: SessionLimits;
  /** Accounts made from one address in 24 hours; 0 for any number. */
  signUpsPerAddressPerDay: number;
  /** Requests of one address a minute, for routes that have no limit of their own. */
  requestsPerAddress: number;
  /** Keeps what happens to accounts. */
  onEvent?: ((event: AuthEvent) => Promise<void>) | undefined;
  /** Something failed that no request waits for. */
  onBackgroundError: (error: unknown) => void;
  now: () => number;
};

export type SendAuthMail = (mail: {
  kind: "recovery" | "confirmation";
  to: string;
  /** Opens the account once: it must reach nothing but the mail. */
  tokenHash: string;
  /** Where the page that asked for the mail wants its reader to come back to; one of the listed addresses. */
  redirectTo: string | undefined;
  /** What the person said of themselves: not to be trusted. */
  metadata: Record<string, unknown>;
}) => Promise<void>;

export type AuthParts = ReturnType<typeof createAuthParts>;

export function createAuthParts(options: AuthServiceOptions) {
  const { sql, keys, now, onEvent, signUpsPerAddressPerDay: perDay } = options;
  const background = createBackground(options.onBackgroundError);
  const record: RecordEvent = (event) => {
    if (onEvent) background.run(() => onEvent(event));
  };
  const accounts = createAccounts({ sql, now });
  const sessions = createSessions({ sql, limits: options.sessionLimits, now });
  const limits = createAuthLimits({ sql, secret: keys.hashSecret });
  const checkPassword = createPasswordCheck({ limits, record, now });
  return {
    ...options,
    ...{ background, record, accounts, sessions, limits, checkPassword },
    flowStates: createFlowStates({ sql, now }),
    answers: createSessionAnswers({ keys, now }),
    redirects: createRedirects(options.siteUrl, options.redirectUrls),
    reauthentication: createReauthentication({ accounts, sessions, checkPassword, now }),
    signUps: createSignUpLimit({ sql, perDay, secret: keys.hashSecret, now }),
    checkToken: createAccessTokenCheck({ keys, hasSession: sessions.isAlive, now }),
  };
}

/** Runs what nobody waits for, and tells when all of it is done. */
function createBackground(onError: (error: unknown) => void) {
  const running = new Set<Promise<void>>();
  return {
    run: (act: () => Promise<void>) => {
      const task = act()
        .catch(onError)
        .finally(() => running.delete(task));
      running.add(task);
    },
    idle: async () => void (await Promise.all(running)),
  };
}
