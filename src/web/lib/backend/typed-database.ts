/**
 * The database as supabase-js is typed with: the generated tables and views, and what the generator cannot know. A function
 * that returns jsonb has its result declared here, and a text column with a check constraint the words it allows.
 */
import type { ListingAlertKind } from "#core/alert/alert-kinds.ts";
import type { ChatKind, ChatReason, ChatState, Receives } from "#core/alert/chat.ts";
import type { Database, Json } from "#core/database-types.ts";
import type { MeasuredFigures } from "#core/figures/measured-figures.ts";
import type { FindDetails, FindPage, FindPointLists, LeftOutCounts, SizeBand } from "#core/finds/find.ts";
import type { AlertCounts, HealthFacts } from "#core/health/health-of.ts";
import type { PastHome } from "#core/rules/past-homes.ts";
import type { Operation } from "#core/search/search.ts";
import type { ListingPreview, SearchPreview } from "#core/search/search-preview.ts";
import type { WarningKind } from "#core/warnings/warning.ts";
import type { TitledHome } from "#text/home-words.ts";

interface FunctionResults {
  create_telegram_link: { token: string };
  export_my_data: Json;
  describe_address_link: AddressLink | null;
  measured_figures: MeasuredFigures | null;
  my_failed_alerts: FailedAlert[];
  my_find: FindDetails | null;
  my_find_points: FindPointLists;
  my_finds: FindPage;
  my_left_out_counts: LeftOutCounts;
  my_past_homes: PastHome[];
  my_security_events: AccountEvent[];
  my_sessions: SignedInBrowser[];
  my_watches: Watch[];
  refuse_address: "deleted" | "refused" | null;
  preview_search: SearchPreview | ListingPreview | null;
  /** Null if the person has a first search. */
  save_first: Database["public"]["Tables"]["searches"]["Row"] | null;
}

interface CheckedColumns {
  chats: { kind: ChatKind | null; state: ChatState; reason: ChatReason | null; receives: Receives };
  find_settings: { hidden_warnings: WarningKind[] };
  market_figures: { operation: Operation; size_band: SizeBand };
  received_mails: { outcome: ReceivedMailOutcome };
}

/** The account whose address a mailed link proves. */
export interface AddressLink {
  kind: "signup" | "email_change";
  email: string;
  opened_at: string;
  browser: { family: string; platform: string } | null;
  has_password: boolean;
  sign_ins: readonly { provider: string; name: string | null }[];
  chats: readonly { kind: ChatKind | null; name: string | null; digits: string }[];
  searches: number;
}

export interface AccountEvent {
  id: number;
  kind:
    | "sign_in"
    | "mini_app"
    | "sign_up"
    | "wrong_password"
    | "password_changed"
    | "password_reset"
    | "session_ended"
    | "chat_connected"
    | "chat_removed"
    | "email_added"
    | "telegram_linked"
    | "telegram_unlinked"
    | "export";
  browser: string | null;
  platform: string | null;
  times: number;
  happened_at: string;
}

export interface SignedInBrowser {
  id: string;
  user_agent: string | null;
  created_at: string;
  last_used_at: string;
  is_current: boolean;
}

export interface Watch extends HealthFacts {
  id: string;
  interval_seconds: number | null;
  next_check_at: string | null;
  alerts: AlertCounts;
  /** The last alert that was sent; null before the first one. */
  last_sent: { source: "official" | "by-url" | "mail"; at: string } | null;
  /** Seconds from our first sight of a listing until Telegram accepted it, over the last thirty days; null with fewer than five alerts. */
  freshness: { alerts: number; median_seconds: number; p95_seconds: number } | null;
  last_find: { listing_id: string; home: TitledHome; price_eur: number | null; at: string } | null;
  latest_alerts: LatestAlert[];
}

export interface LatestAlert {
  id: string;
  kind: ListingAlertKind;
  state: "pending" | "sending" | "sent" | "merged" | "undeliverable" | "expired";
  created_at: string;
  listing_id: string | null;
  former_listing_id: string | null;
  home: TitledHome | null;
  price_eur: number | null;
  url: string | null;
}

/** An alert that could not be delivered. "unanswered": Telegram may have delivered it. */
export interface FailedAlert extends Pick<LatestAlert, "id" | "listing_id" | "home" | "price_eur" | "url"> {
  reason: "refused" | "unanswered" | "expired";
  failed_at: string;
}

export type ReceivedMailOutcome =
  | "alert"
  | "digest"
  | "forwarding-question"
  | "not-an-alert"
  | "unreadable"
  | "not-signed"
  | "waiting-for-key";

type Generated = Database["public"];
type Functions = Generated["Functions"];
type Columns<Name> = Name extends keyof CheckedColumns ? CheckedColumns[Name] : Record<never, never>;
type Checked<Fields, Name> = Omit<Fields, keyof Columns<Name>> & {
  [Column in keyof Fields & keyof Columns<Name>]: Columns<Name>[Column];
};

export type TypedDatabase = {
  public: {
    Tables: {
      [Name in keyof Generated["Tables"]]: {
        Row: Checked<Generated["Tables"][Name]["Row"], Name>;
        Insert: Generated["Tables"][Name]["Insert"];
        Update: Generated["Tables"][Name]["Update"];
        Relationships: [];
      };
    };
    Views: Generated["Views"];
    Functions: {
      [Name in keyof Functions]: {
        Args: Functions[Name]["Args"];
        // A jsonb function without a declared result returns `never`, which no caller can use.
        Returns: Name extends keyof FunctionResults
          ? FunctionResults[Name]
          : Json extends Functions[Name]["Returns"]
            ? never
            : Functions[Name]["Returns"];
      };
    };
  };
};

export type Tables<Name extends keyof TypedDatabase["public"]["Tables"]> =
  TypedDatabase["public"]["Tables"][Name]["Row"];
