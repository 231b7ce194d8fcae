// What a person sees of their own data, read as the page reads it. The names and shapes are those of the published API, so the
// same questions can be put to two versions.
import type { SupabaseClient } from "@supabase/supabase-js";

export type SeenAccount = Awaited<ReturnType<typeof readAccount>>;

export async function readAccount(client: SupabaseClient) {
  const rows = async (table: string, columns: string, order: string) =>
    must(await client.from(table).select(columns).order(order)) as unknown as Record<string, unknown>[];
  const searches = await rows(
    "searches",
    "filter_url, name, is_first, is_paused, quiet_from, quiet_until, rules, receiver_ids",
    "created_at",
  );
  return {
    profile: (await rows("profiles", "full_name, email, language, mails_when_away", "email"))[0],
    searches,
    chats: await rows("chats", "chat_id, state, title, receives", "chat_id"),
    places: await rows("own_places", "name, latitude, longitude", "created_at"),
    settings: await rows("find_settings", "hidden_warnings, who, job, about", "user_id"),
    mails: await rows("received_mails", "outcome, portal, listing_count, new_count", "received_at"),
    finds: {
      shown: await readFinds(client, {}),
      kept: await readFinds(client, { state: "kept" }),
      cheaper: await readFinds(client, { state: "cheaper" }),
      hidden: await readFinds(client, { state: "hidden" }),
      leftOut: await readFinds(client, { state: "left-out" }),
    },
    alerts: await readAlerts(client),
  };
}

type Find = {
  listingId: string;
  url: string;
  priceEur: number | null;
  formerPriceEur: number | null;
  areaM2: number | null;
  rooms: number | null;
  municipality: string | null;
  mark: string | null;
  note: string | null;
  goneAt: string | null;
  leftOutBy: { rule: unknown }[];
};

export async function readFinds(client: SupabaseClient, filter: object) {
  const { finds } = must(await client.rpc("my_finds", { filter, page_size: 60 })) as { finds: Find[] };
  return finds
    .map(
      ({ listingId, url, priceEur, formerPriceEur, areaM2, rooms, municipality, mark, note, ...more }) => ({
        ...{ listingId, url, priceEur, formerPriceEur, areaM2, rooms, municipality, mark, note },
        isGone: more.goneAt !== null,
        leftOutBy: more.leftOutBy.map(({ rule }) => rule),
      }),
    )
    .toSorted((one, other) => one.listingId.localeCompare(other.listingId));
}

type Alert = { chat_id: number; kind: string; listing_id: string | null; state: string };

async function readAlerts(client: SupabaseClient) {
  const { alerts } = must(await client.rpc("export_my_data")) as { alerts: Alert[] };
  const seen = alerts.map(({ chat_id, kind, listing_id, state }) => ({ chat_id, kind, listing_id, state }));
  return seen.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
}

const keyOf = ({ chat_id, kind, listing_id }: Alert) => `${chat_id} ${kind} ${listing_id}`;

function must<Data>({ data, error }: { data: Data; error: { message: string } | null }): NonNullable<Data> {
  if (error || data === null || data === undefined) throw new Error(error?.message ?? "no data");
  return data;
}
