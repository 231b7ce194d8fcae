// What a hosted Supabase project tells everybody about its sign-in. Other settings of it cannot be seen from outside.
import { explainUnreachable } from "./explain-unreachable.ts";
import { type Check, notSet, ok, wrong } from "./finding.ts";

const WAIT_MS = 8_000;
const TELEGRAM_PROVIDER = "custom:telegram";

type AuthSettings = {
  external?: Record<string, boolean>;
  disable_signup?: boolean;
  mailer_autoconfirm?: boolean;
};

export const checkSupabase: Check = async ({
  SUPABASE_URL: url,
  SUPABASE_PUBLISHABLE_KEY: key,
  HOSTED_TELEGRAM_LOGIN: telegramLogin,
}) => {
  if (url === undefined || key === undefined) return notSet("the embedded one");
  const name = "SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY";
  const { host } = new URL(url);
  const ask = (path: string) =>
    fetch(`${url}/auth/v1/${path}`, {
      headers: { apikey: key },
      redirect: "manual",
      signal: AbortSignal.timeout(WAIT_MS),
    });
  try {
    const answer = await ask("settings");
    if (!answer.ok) {
      const isRefusal = answer.status === 401 || answer.status === 403;
      return wrong(`${host} ${isRefusal ? "refuses us" : "answers"} (${answer.status}): check ${name}`);
    }
    const faults = faultsIn((await answer.json()) as AuthSettings);
    if (telegramLogin === "on") {
      const { status } = await ask(`authorize?provider=${TELEGRAM_PROVIDER}`);
      if (status < 300 || status > 399)
        faults.push(`HOSTED_TELEGRAM_LOGIN is on, but the project has no provider ${TELEGRAM_PROVIDER}`);
    }
    return faults.length > 0 ? wrong(faults.join("; ")) : ok(`${host} answers; ${NOT_SEEN}`);
  } catch (error) {
    return wrong(explainUnreachable(error, { host, setting: name }));
  }
};

const NOT_SEEN =
  "look up in its dashboard what cannot be seen from here: SMTP, the required current password, session limits";

function faultsIn({ external = {}, disable_signup, mailer_autoconfirm }: AuthSettings): string[] {
  return [
    ...(external.email === false
      ? ["the project's email provider is off, so nobody can sign in with a password"]
      : []),
    ...(disable_signup ? ["the project allows no new sign-ups"] : []),
    ...(mailer_autoconfirm
      ? [
          "the project confirms addresses without asking: turn Confirm email on (Hosted Supabase in docs/operating.md)",
        ]
      : []),
  ];
}
