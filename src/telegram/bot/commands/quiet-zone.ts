import type { Context } from "grammy";
import { TIME_ZONES, type TimeZone } from "#core/geo/time-zone.ts";
import { button, type Conversation, type Shown } from "../conversation/conversation.ts";
import { showText } from "../conversation/edit-message.ts";
import { quietZonesOf, setTimeZone } from "../rows/time-zones.ts";

const NAMES = { "Europe/Madrid": "mainland", "Atlantic/Canary": "canary" } as const;

/** Says by which clock a person's quiet hours are. Only the private chat of a person shows and changes it. */
export async function tellQuietZone(conversation: Conversation, userId: string): Promise<void> {
  const { parts, chat } = conversation;
  const zones = chat.kind === "private" ? await quietZonesOf(parts.sql, userId) : [];
  if (zones.length === 0) return;
  const { html, rows } = shownFor(conversation, { userId, zones });
  await conversation.reply(html, rows);
}

export async function pressZone(
  conversation: Conversation,
  ctx: Context,
  { userId, zone }: { readonly userId: string; readonly zone: TimeZone },
): Promise<string> {
  const { parts, chat, plain } = conversation;
  if (chat.kind !== "private") return plain("administrators_only");
  if (!(await setTimeZone(parts.sql, { userId, chatId: chat.id, zone }))) return plain("status_no_filter");
  const { html, rows } = shownFor(conversation, { userId, zones: [zone] });
  await showText(ctx, html, rows);
  return plain(`quiet_zone_${NAMES[zone]}`);
}

/** With a button for each zone that would be a change. */
function shownFor(
  { t, plain }: Conversation,
  { userId, zones }: { readonly userId: string; readonly zones: readonly TimeZone[] },
): Shown {
  const [only, ...others] = zones;
  const name = others.length === 0 && only !== undefined ? NAMES[only] : "both";
  const offered = TIME_ZONES.filter((zone) => others.length > 0 || zone !== only);
  return {
    html: `🌙 ${t(`quiet_zone_${name}`)}`,
    rows: offered.map((zone) => [
      button(plain(`quiet_zone_use_${NAMES[zone]}`), { act: "zone", userId, zone }),
    ]),
  };
}
