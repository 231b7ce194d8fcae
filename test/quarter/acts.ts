// What happens in a simulated quarter, as plain data: what people, the portal, Telegram and our operator do, and when. People and
// homes have fixed numbers, so an act means the same whichever acts are removed before it; one about a person or home that
// does not exist then does nothing.

export type Operation = "sale" | "rent";

export interface Wish {
  /** The place's path on the portal. */
  readonly place: string;
  readonly operation: Operation;
  readonly maxPriceEur: number;
  /** The link in English: the same search in another spelling. */
  readonly isEnglish?: boolean;
}

export type ChatLoss = "blocked" | "muted" | "kicked";

export type Act =
  | {
      readonly act: "join";
      readonly person: number;
      readonly wish: Wish;
      readonly chat: "private" | "supergroup";
      /** Homes with tenants are left out by a rule. */
      readonly hasRule: boolean;
      /** Not a new person: another search of this one, with the same chat. */
      readonly secondOf?: number;
    }
  | { readonly act: "edit"; readonly person: number; readonly wish: Wish }
  | { readonly act: "pause" | "resume" | "leave"; readonly person: number }
  | { readonly act: "lose-chat"; readonly person: number; readonly how: ChatLoss }
  | { readonly act: "regain-chat"; readonly person: number }
  | {
      readonly act: "publish";
      readonly homes: readonly number[];
      readonly place: string;
      readonly operation: Operation;
      readonly pricesEur: readonly number[];
    }
  /** The portal's oldest homes of the place go to the top of its list. */
  | { readonly act: "renew"; readonly place: string; readonly operation: Operation; readonly count: number }
  /** The homes at the end of the first page and at the start of the second change places. */
  | { readonly act: "swap"; readonly place: string; readonly operation: Operation }
  | { readonly act: "withdraw" | "restore"; readonly home: number }
  /** It is withdrawn, and advertised under another code as the home `as`. */
  | { readonly act: "readvertise"; readonly home: number; readonly as: number }
  | { readonly act: "reprice"; readonly home: number; readonly percent: number }
  | { readonly act: "mail"; readonly person: number; readonly home: number }
  | { readonly act: "refuse" | "break" | "stop-us"; readonly minutes: number }
  /** The rest of the month's requests is used up elsewhere. */
  | { readonly act: "spend" }
  /** Nothing; later acts come later. */
  | { readonly act: "wait" };

/** An act, so many minutes after the one before. */
export type TimedAct = Act & { readonly after: number };

export interface Quarter {
  /** Milliseconds since 1970. */
  readonly beginsAt: number;
  /** The source's requests a month; null for unlimited ones, checked every ten minutes. */
  readonly monthlyRequests: number | null;
  /** A check reads no more pages, so there are gaps. Null: as many as the product likes. */
  readonly mostPages: number | null;
  readonly acts: readonly TimedAct[];
  /** Without acts at the end, in which everything that is due can arrive. */
  readonly calmMinutes: number;
}

export const minutesOf = ({ acts, calmMinutes }: Quarter): number =>
  acts.reduce((sum, { after }) => sum + after, calmMinutes);

export function describeActs(acts: readonly TimedAct[]): string {
  let minute = 0;
  return acts
    .map(({ after, act, ...fields }) => {
      minute += after;
      const day = Math.floor(minute / 1440);
      const clock = new Date((minute % 1440) * 60_000).toISOString().slice(11, 16);
      return `day ${day} ${clock} ${act} ${JSON.stringify(fields)}`;
    })
    .join("\n");
}
