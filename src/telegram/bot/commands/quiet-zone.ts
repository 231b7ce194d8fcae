import type { Context } from "grammy";
import { TIME_ZONES, type TimeZone } from "#core/geo/time-zone.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { rowsOf, showButtons } from "../conversation/edit-message.ts";
import { quietZonesOf, setTimeZone } from "../rows/time-zones.ts";

const NAMES = { "Europe/Madrid": "mainland", "Atlantic/Canary": "canary" } as const;

interface QuietZone {
  /** By which clock the quiet hours are; undefined if the person has none. */
  readonly line: string | undefined;
  readonly rows: readonly ReturnType<typeof button>[][];
}

const NONE: QuietZone = { line: undefined, rows: [] };

/** Only the private chat of a person shows and changes it. */
export async function quietZoneOf(conversation: Conversation, userId: string): Promise<QuietZone> {
  const { parts, chat, t } = conversation;
  if (chat.kind !== "private") return NONE;
  const zones = await quietZonesOf(parts.sql, userId);
  if (zones.length === 0) return NONE;
  const [only, ...others] = zones;
  const name = others.length === 0 && only !== undefined ? NAMES[only] : "both";
  const offered = TIME_ZONES.filter((zone) => others.length > 0 || zone !== only);
  return {
    line: `🌙 ${t(`quiet_zone_${name}`)}`,
    rows: offered.map((zone) => [zoneButton(conversation, { userId, zone })]),
  };
}

export async function pressZone(
  conversation: Conversation,
  ctx: Context,
  { userId, zone }: { readonly userId: string; readonly zone: TimeZone },
): Promise<string> {
  const { parts, chat, plain } = conversation;
  if (chat.kind !== "private") return plain("administrators_only");
  if (!(await setTimeZone(parts.sql, { userId, chatId: chat.id, zone }))) return plain("status_no_filter");
  const own = TIME_ZONES.map((one) => zoneButton(conversation, { userId, zone: one }));
  const others = rowsOf(ctx).filter((row) => !row.some((one) => own.some((mine) => isSame(one, mine))));
  const offered = own.filter((_, at) => TIME_ZONES[at] !== zone).map((one) => [one]);
  await showButtons(ctx, [...offered, ...others.map((row) => [...row])]);
  return plain(`quiet_zone_${NAMES[zone]}`);
}

function isSame(one: object, other: ReturnType<typeof button>): boolean {
  return "callback_data" in one && one.callback_data === other.callback_data;
}

function zoneButton(
  { plain }: Conversation,
  { userId, zone }: { readonly userId: string; readonly zone: TimeZone },
): ReturnType<typeof button> {
  return button(plain(`quiet_zone_use_${NAMES[zone]}`), { act: "zone", userId, zone });
}
