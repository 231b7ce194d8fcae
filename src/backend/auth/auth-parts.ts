// The dependencies that the handlers share.
import type { Sql } from "postgres";
import type { ServerKeys } from "../server-keys.ts";
import { createAccessTokenCheck } from "./access-token.ts";
import { createAccounts } from "./accounts.ts";
import type { AuthEvent, RecordEvent } from "./events/security-events.ts";
import { createSessionAnswers } from "./gotrue-shapes.ts";
import { createAuthLimits } from "./limits/auth-limits.ts";
import { createSignUpLimit } from "./limits/sign-up-limit.ts";
import { createLaunches } from "./mini-app/launches.ts";
import { createPasswordCheck } from "./passwords/passwords.ts";
import { createReauthentication } from "./passwords/reauthentication.ts";
import { createFlowStates } from "./providers/flow-states.ts";
import type { Provider } from "./providers/providers.ts";
import { createRedirects } from "./redirects.ts";
import { createSessions, type SessionLimits } from "./sessions.ts";

export type AuthServiceOptions = {
  /** Logs in with exactly the rights of AUTH_GRANTS. */
  sql: Sql;
  /** With the same rights, for the check of a session alone. */
  sessionsSql?: Sql;
  keys: ServerKeys;
  siteUrl: string;
  redirectUrls: readonly string[];
  /** The language of one of those pages. */
  languageOf: (redirectUrl: string) => string;
  providers: readonly Provider[];
  /** Verifies launches of the Mini App; undefined if it is not offered. */
  botToken?: string | undefined;
  sendMail: SendAuthMail;
  sessionLimits: SessionLimits;
  /** Accounts created from one network address in 24 hours; 0 means unlimited. */
  signUpsPerAddressPerDay: number;
  /** Requests per minute from one network address, for routes without their own limit. */
  requestsPerAddress: number;
  onEvent?: ((event: AuthEvent) => Promise<void>) | undefined;
  /** Reports an error in work that no request waits for. */
  onBackgroundError: (error: unknown) => void;
  now: () => number;
};

export type SendAuthMail = (mail: {
  kind: "recovery" | "confirmation" | "email_change";
  to: string;
  /** Opens the account once, so it must appear only in the mail. */
  tokenHash: string;
  /** The page to return to, one of the allowed URLs. */
  redirectTo: string | undefined;
  /** Chosen by the person, so not trusted. */
  metadata: Record<string, unknown>;
}) => Promise<void>;

export type AuthParts = ReturnType<typeof createAuthParts>;

export function createAuthParts(options: AuthServiceOptions) {
  const { sql, sessionsSql = sql, keys, now, onEvent, signUpsPerAddressPerDay: perDay } = options;
  const background = createBackground(options.onBackgroundError);
  const record: RecordEvent = (event) => {
    if (onEvent) background.run(() => onEvent(event));
  };
  const accounts = createAccounts({ sql, now });
  const sessions = createSessions({ sql, limits: options.sessionLimits, now });
  const hasSession = createSessions({ sql: sessionsSql, limits: options.sessionLimits, now }).isAlive;
  const limits = createAuthLimits({ sql, secret: keys.hashSecret });
  const checkPassword = createPasswordCheck({ limits, record, now });
  return {
    ...options,
    ...{ background, record, accounts, sessions, limits, checkPassword },
    flowStates: createFlowStates({ sql, now }),
    launches: createLaunches({ sql, sessions, now }),
    answers: createSessionAnswers({ keys, now }),
    redirects: createRedirects(options.siteUrl, options.redirectUrls),
    reauthentication: createReauthentication({ accounts, checkPassword, now }),
    signUps: createSignUpLimit({ sql, perDay, secret: keys.hashSecret, now }),
    checkToken: createAccessTokenCheck({ keys, hasSession, now }),
  };
}

/** Runs tasks that no request waits for, and tracks when all are done. */
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
