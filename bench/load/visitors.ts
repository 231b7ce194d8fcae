// Visitors of the site: they load the landing page, sign in, save a search, and keep a page open that receives changes. Each
// request comes from its own address.
import { Agent } from "node:http";
import type { Sql } from "postgres";
import { ask } from "../harness/ask.ts";
import { openPages } from "./live-pages.ts";
import { type Act, TIMEOUT_MS } from "./open-loop.ts";

/** Telegram does not know these chats, so the searches are stored but cost no requests to the portal. */
const FIRST_CHAT = 1_000_000;
const PASSWORD = "a-long-password-of-theirs";

interface Visitor {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  /** The link of the last acknowledged save. */
  savedUrl: string;
}

export interface Visitors {
  readonly acts: {
    readonly landing: Act;
    readonly "sign-in": Act;
    readonly save: Act;
    readonly realtime: Act;
  };
  /** How many acknowledged saves are missing in the database. */
  readonly countUnsaved: () => Promise<number>;
  readonly close: () => void;
}

export async function createVisitors(options: { port: number; sql: Sql; count: number }): Promise<Visitors> {
  const { port, sql, count } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let lastAddress = 0;
  const from = (headers: Record<string, string> = {}) => {
    lastAddress += 1;
    const address = `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
    return { ...headers, "x-forwarded-for": address };
  };
  const call: Call = async (path, headers = {}, method = "GET", body) => {
    const rest = body ? { body: JSON.stringify(body) } : {};
    const answer = await ask(port, path, from(headers), { method, agent, timeout: TIMEOUT_MS, ...rest });
    if (answer.status >= 400) throw new Error(String(answer.status));
    return answer.text;
  };
  const { publishableKey: apikey } = JSON.parse(await call("/config.json")) as { publishableKey: string };
  const assets = [...(await call("/")).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  const headersOf = ({ token }: Visitor) => headersWith(apikey, token);

  const people: Visitor[] = [];
  for (let number = 0; number < count; number += 1) people.push(await signUp(call, apikey, number));
  const personFor = (number: number) => people[number % count] as Visitor;
  let changes = 0;
  const pages = await openPages({ port, apikey, tokens: people.map(({ token }) => token) });

  return {
    acts: {
      landing: async () => {
        await call("/", BROWSER);
        await Promise.all(["/config.json", ...new Set(assets)].map((path) => call(path, BROWSER)));
      },
      "sign-in": async (number) => {
        const { email } = personFor(number);
        await call("/auth/v1/token?grant_type=password", { apikey }, "POST", { email, password: PASSWORD });
      },
      save: async (number) => {
        const person = personFor(number);
        const path = `/rest/v1/filter_settings?user_id=eq.${person.userId}`;
        const filterUrl = urlOf(number);
        await call(path, headersOf(person), "PATCH", { filter_url: filterUrl });
        person.savedUrl = filterUrl;
      },
      realtime: async (number) => {
        const { userId } = personFor(number);
        changes += 1;
        const title = `change ${changes}.`;
        const received = pages.change(number % count, changes);
        await sql`
          update public.chats set title = ${title}, confirmed_at = coalesce(confirmed_at, now())
          where user_id = ${userId}`;
        await received;
      },
    },
    countUnsaved: async () => {
      const rows = await sql<{ userId: string; url: string }[]>`
        select user_id as "userId", filter_url as url from public.filter_settings`;
      const urls = new Map(rows.map(({ userId, url }) => [userId, url]));
      return people.filter(({ userId, savedUrl }) => urls.get(userId) !== savedUrl).length;
    },
    close: () => {
      agent.destroy();
      pages.close();
    },
  };
}

type Call = (
  path: string,
  headers?: Record<string, string>,
  method?: string,
  body?: object,
) => Promise<string>;

const headersWith = (apikey: string, token: string) => ({ apikey, authorization: `Bearer ${token}` });

/** Signs a person up and saves their first search. */
async function signUp(call: Call, apikey: string, number: number): Promise<Visitor> {
  const email = `visitor-${number}@example.com`;
  const made = await call("/auth/v1/signup", { apikey }, "POST", { email, password: PASSWORD });
  const { access_token: token, user } = JSON.parse(made) as { access_token: string; user: { id: string } };
  const savedUrl = urlOf(number);
  await call("/rest/v1/filter_settings", headersWith(apikey, token), "POST", {
    user_id: user.id,
    filter_url: savedUrl,
    receiver_ids: [String(FIRST_CHAT + number)],
  });
  return { userId: user.id, email, token, savedUrl };
}

const BROWSER = { "accept-encoding": "gzip, deflate, br" };

function urlOf(number: number): string {
  return `https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_${700 + (number % 2_000)}/`;
}
