// What notifies the operator, and the optional routing server.
import { SourceError } from "#core/ports/source.ts";
import { createRoutes } from "#sources/routes/routes.ts";
import { explainUnreachable } from "./explain-unreachable.ts";
import { type Check, notSet, ok, wrong } from "./finding.ts";

const WAIT_MS = 8_000;

/** A real call: only the monitoring service knows whether the path is right. */
export const checkPing: Check = async ({ PING_URL }) => {
  if (PING_URL === undefined) return notSet("no PING_URL");
  const { host } = new URL(PING_URL);
  try {
    const answer = await fetch(PING_URL, { signal: AbortSignal.timeout(WAIT_MS) });
    await answer.body?.cancel();
    if (answer.ok) return ok(`${host} accepts the ping`);
    return wrong(
      `${host} refuses the ping (${answer.status}): copy PING_URL from the monitoring service again`,
    );
  } catch (error) {
    return wrong(explainUnreachable(error, { host, setting: "PING_URL" }));
  }
};

/** "Typing…" needs the same rights as a message, and leaves nothing in the chat. */
export const checkOperatorChat: Check = async (settings) => {
  const { OPERATOR_CHAT_ID: chatId, OPERATOR_EMAIL: email } = settings;
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot } = settings;
  if (chatId === undefined) {
    return notSet(email === undefined ? "nobody is notified of trouble" : `trouble goes to ${email}`);
  }
  if (token === undefined || apiRoot === undefined) return notSet("another machine has the bot");
  const setting = "TELEGRAM_API_ROOT";
  const { host } = new URL(apiRoot);
  try {
    const { status } = await fetch(`${apiRoot}/bot${token}/sendChatAction`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ chat_id: chatId, action: "typing" }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (status === 200) return ok("the bot may write to it");
    if (status === 401 || status === 404) return wrong("TELEGRAM_BOT_TOKEN is refused: see Telegram");
    if (status === 400 || status === 403) {
      return wrong(
        "the bot may not write to the chat OPERATOR_CHAT_ID: press Start there or add the bot, and send /id for the number",
      );
    }
    return wrong(`${host} (TELEGRAM_API_ROOT) answers ${status}: try again later`);
  } catch (error) {
    return wrong(explainUnreachable(error, { host, setting }));
  }
};

const [SOL, RETIRO] = [
  { latitude: 40.4169, longitude: -3.7035 },
  { latitude: 40.4153, longitude: -3.6845 },
];

/** One question for a walk through Madrid: two of the day's requests, and nobody's position. */
export const checkRoutes: Check = async ({ ROUTES_URL: baseUrl, ROUTES_KEY: key }) => {
  if (baseUrl === undefined) return notSet("no ROUTES_URL");
  const { host } = new URL(baseUrl);
  try {
    const routes = createRoutes({ baseUrl, key, dailyRequests: 1 });
    const [walk] = await routes.minutesTo(RETIRO, [SOL], AbortSignal.timeout(WAIT_MS));
    if (walk?.footMinutes == null)
      return wrong(`${host} knows no way through Madrid: load a map of Spain there, or correct ROUTES_URL`);
    return ok(`${host} answers: ${walk.footMinutes} minutes on foot from Sol to the Retiro`);
  } catch (error) {
    return wrong(routesFault(error, host));
  }
};

function routesFault(error: unknown, host: string): string {
  const reason = error instanceof SourceError ? error.reason : "unreachable";
  if (reason === "unreachable") return explainUnreachable(error, { host, setting: "ROUTES_URL" });
  if (reason === "refused-credentials") return `${host} refuses the key: check ROUTES_KEY`;
  if (reason === "quota-spent" || reason === "rate-limited") {
    return `${host} takes no more requests today: lower ROUTES_DAILY_REQUESTS, or use another key`;
  }
  return `${host} does not answer as openrouteservice does (${reason}): check ROUTES_URL`;
}
