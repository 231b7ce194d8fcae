// A few people who use a running product through its public ways: supabase-js, Telegram, the portal's market and its alert mails.
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type ConsoleClient, createConsoleClient, until } from "./console-client.ts";
import { readAccount, readFinds, type SeenAccount } from "./read-account.ts";

const PASSWORD = "correct horse";
export const RENT = "https://www.idealista.com/alquiler-viviendas/navalcarnero-madrid/";
export const SALE = "https://www.idealista.com/venta-viviendas/galapagar-madrid/";
const GARAGES = "https://www.idealista.com/venta-garajes/torrejon-de-ardoz-madrid/";
/** No advert has these words, so the rule leaves every home out. */
const RULE = { on: "words", are: "absent", words: ["castillo encantado"], act: "leave-out" };

/** The people and what each of them saw. */
export type City = {
  password: string;
  suspended: string;
  people: { email: string; account: SeenAccount }[];
  /** The account that was made in the chat: its chat, and the homes it was notified of. */
  telegram: { chatId: number; listingIds: string[] };
};

type Outside = { siteUrl: string; consoleUrl: string };
type Member = { email: string; client: SupabaseClient; id: string; phone: number };

export async function liveInCity({ siteUrl, consoleUrl }: Outside): Promise<City> {
  const outside = createConsoleClient(consoleUrl);
  const config = (await (await fetch(`${siteUrl}/config.json`)).json()) as { publishableKey: string };
  const join = async (email: string, name: string): Promise<Member> => {
    const auth = { persistSession: false, autoRefreshToken: false };
    const client = createClient(siteUrl, config.publishableKey, { auth });
    const data = { full_name: name, language: "en" };
    const { data: made } = must(await client.auth.signUp({ email, password: PASSWORD, options: { data } }));
    return { email, client, id: made.user?.id ?? "", phone: await outside.phone(name) };
  };
  const ana = await join("ana@example.com", "Ana García");
  const bob = await join("bob@example.com", "Bob Stone");
  const carol = await join("carol@example.com", "Carol Weiss");
  const eva = await outside.phone("Eva");
  await saveSearches(outside, { ana, bob, carol, eva });
  const listingIds = await meetHomes(outside, { ana, bob, eva });
  await receiveMail(outside, bob);
  const isSettled = async () => {
    const accounts = await Promise.all([ana, bob].map(({ client }) => readAccount(client)));
    const states = accounts.flatMap(({ alerts }) => alerts.map(({ state }) => state));
    return states.every((state) => state !== "pending" && state !== "sending");
  };
  await until(isSettled, "the end of the last alert");
  return {
    password: PASSWORD,
    suspended: carol.email,
    people: await Promise.all(
      [ana, bob].map(async ({ email, client }) => ({ email, account: await readAccount(client) })),
    ),
    telegram: { chatId: eva, listingIds },
  };
}

type People = { ana: Member; bob: Member; carol: Member; eva: number };

async function saveSearches(outside: ConsoleClient, { ana, bob, carol, eva }: People): Promise<void> {
  for (const { client, phone } of [ana, bob]) {
    await outside.open(phone, `?start=${await newToken(client)}`);
    await outside.hasText(phone, "");
  }
  await save(ana, "filter_settings", { filter_url: RENT });
  await save(ana, "searches", { filter_url: SALE, name: "By the river" });
  await save(ana, "searches", { filter_url: GARAGES, is_paused: true });
  const searches = () => ana.client.from("searches");
  must(
    await searches()
      .update({ rules: [RULE] })
      .eq("filter_url", SALE),
  );
  must(await searches().update({ quiet_from: "23:00", quiet_until: "07:30" }).eq("filter_url", GARAGES));
  await save(bob, "filter_settings", { filter_url: RENT });
  await save(carol, "filter_settings", { filter_url: SALE });
  const group = await outside.group(ana.phone, "Home hunters");
  await outside.open(ana.phone, `?startgroup=${await newToken(ana.client)}`, group);
  // An account without an address.
  await outside.start(eva);
  await outside.hasText(eva, "");
  await outside.say(eva, RENT);
  await outside.press(eva, "Watch it");
  for (const phone of [ana.phone, bob.phone, eva]) await outside.hasText(phone, "I'm watching");

  const work = { name: "Work", latitude: 40.289, longitude: -4.013 };
  must(await ana.client.from("own_places").insert(work));
  const settings = { who: "Two of us", hidden_warnings: ["no-photo"] };
  must(await ana.client.from("find_settings").insert(settings));
  must(await ana.client.from("profiles").update({ mails_when_away: false }).eq("id", ana.id));
}

const newToken = async (client: SupabaseClient) =>
  (must(await client.rpc("create_telegram_link")).data as { token: string }).token;

async function save({ client, id, phone }: Member, table: string, search: object): Promise<void> {
  must(await client.from(table).insert({ user_id: id, receiver_ids: [String(phone)], ...search }));
}

/** Homes are published, marked, left out, and one becomes cheaper. */
async function meetHomes(
  outside: ConsoleClient,
  { ana, bob, eva }: Omit<People, "carol">,
): Promise<string[]> {
  const phones = [ana.phone, bob.phone, eva];
  const codes: string[] = [];
  for (const priceEur of [611, 622, 633, 644]) {
    codes.push(await outside.publish(RENT, priceEur));
    for (const phone of phones) await outside.hasText(phone, `€${priceEur}`);
  }
  await outside.publish(SALE, 155_000);
  // Not the whole account, which may be exported five times an hour only.
  const leftOut = async () => (await readFinds(ana.client, { state: "left-out" })).length;
  await until(async () => (await leftOut()) === 1, "the home that is left out");
  const [kept, hidden, cheaper, dark] = codes;
  must(await ana.client.rpc("mark_find", { listing_id: kept, mark: "kept" }));
  must(await ana.client.rpc("note_find", { listing_id: kept, note: "Ask about the boiler. ’Ñ’ \t\\" }));
  must(await ana.client.rpc("mark_find", { listing_id: hidden, mark: "hidden" }));
  must(await bob.client.rpc("mark_find", { listing_id: kept, mark: "kept" }));
  must(await bob.client.rpc("note_find", { listing_id: dark, note: "Too dark?" }));
  await outside.changePrice(cheaper, 570);
  for (const phone of phones) await outside.hasText(phone, "€570");
  return codes;
}

async function receiveMail(outside: ConsoleClient, { client, phone }: Member): Promise<void> {
  must(await client.rpc("renew_mail_address"));
  const [address] = must(await client.from("mail_addresses").select("token")).data ?? [];
  await outside.saveSearch(GARAGES, `${address?.token}@mail.sereno.localhost`);
  await outside.publish(GARAGES, 12_345);
  await outside.hasText(phone, "€12,345");
}

function must<Answer extends { error: { message: string } | null }>(answer: Answer): Answer {
  if (answer.error) throw new Error(answer.error.message);
  return answer;
}
