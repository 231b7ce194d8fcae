import type { Sql } from "postgres";
import { decideAlert } from "../decide-alert.ts";
import { leftOutBy } from "../left-out-by.ts";
import { activeSearchesOf, quietSearchesOf } from "../quiet-searches.ts";
import { readAudiences } from "../rows/audiences.ts";
import { readUnmailedAlerts } from "../rows/away-mails.ts";

/** The person's alerts that would be messages now if Telegram answered. */
export async function findMailableAlerts(sql: Sql, userId: string, nowMs: number): Promise<string[]> {
  const alerts = await readUnmailedAlerts(sql, userId);
  const recipients = [...new Set(alerts.map(({ chatId }) => chatId))].map((chatId) => ({ chatId, userId }));
  const audiences = await readAudiences(sql, recipients);
  return alerts
    .filter((alert) => {
      const audience = audiences.find(({ chatId }) => chatId === alert.chatId);
      if (audience === undefined) return false;
      const active = activeSearchesOf(alert, audience);
      const { silentIds, isAllSilent } = quietSearchesOf(audience, nowMs);
      const isQuiet = active.length === 0 ? isAllSilent : active.every(({ id }) => silentIds.includes(id));
      const facts = {
        hasActiveSearch: active.length > 0,
        leftOutBy: leftOutBy(alert, active, audience),
        nowMs,
      };
      return !isQuiet && decideAlert(alert, facts).act === "send";
    })
    .map(({ id }) => id);
}
