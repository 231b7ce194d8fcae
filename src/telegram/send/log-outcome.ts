import type { Logger } from "#core/ports/logger.ts";
import type { SendOutcome } from "./channel.ts";
import type { OutgoingMessage } from "./claim-alerts.ts";

/** What was sent is no news; what never can be is our mistake. */
export function logOutcome(logger: Logger, { alerts }: OutgoingMessage, outcome: SendOutcome): void {
  if (outcome.type === "sent") return;
  const isBug = outcome.type === "hopeless" || (outcome.type === "failed" && outcome.scope === "alert");
  const facts = { alert: alerts[0].id, outcome: outcome.type, error: outcome.error };
  if (isBug) logger.error(facts, "an alert could not be sent");
  else logger.warn(facts, "an alert was not sent");
}

/** The answer concerns everyone: nothing more is sent for now. */
export function logSilence(logger: Logger, outcome: SendOutcome, pausedMs: number): void {
  if (outcome.type === "refused-us") {
    const { error } = outcome;
    logger.error({ error }, "Telegram does not accept the bot's token; every alert waits");
    return;
  }
  logger.warn({ seconds: Math.ceil(pausedMs / 1000) }, "Telegram wants silence");
}
