// Written by `npm run types` from the migrations; not to be edited.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      chats: {
        Row: {
          user_id: string;
          chat_id: number;
          kind: string | null;
          title: string | null;
          state: string;
          reason: string | null;
          confirmed_at: string | null;
          created_at: string;
          updated_at: string;
          receives: string;
        };
        Insert: {
          user_id: string;
          chat_id: number;
          kind?: string | null;
          title?: string | null;
          state: string;
          reason?: string | null;
          confirmed_at?: string | null;
          created_at?: string;
          updated_at?: string;
          receives?: string;
        };
        Update: {
          user_id?: string;
          chat_id?: number;
          kind?: string | null;
          title?: string | null;
          state?: string;
          reason?: string | null;
          confirmed_at?: string | null;
          created_at?: string;
          updated_at?: string;
          receives?: string;
        };
        Relationships: [];
      };
      demo_listings: {
        Row: {
          demo_id: string;
          filter_id: string;
          created_at: string;
          details: Json;
        };
        Insert: {
          demo_id: string;
          filter_id: string;
          created_at?: string;
          details: Json;
        };
        Update: {
          demo_id?: string;
          filter_id?: string;
          created_at?: string;
          details?: Json;
        };
        Relationships: [];
      };
      find_settings: {
        Row: {
          user_id: string;
          hidden_warnings: string[];
          who: string | null;
          job: string | null;
          moving_from: string | null;
          about: string | null;
          updated_at: string;
        };
        Insert: {
          user_id?: string;
          hidden_warnings?: string[];
          who?: string | null;
          job?: string | null;
          moving_from?: string | null;
          about?: string | null;
          updated_at?: string;
        };
        Update: {
          user_id?: string;
          hidden_warnings?: string[];
          who?: string | null;
          job?: string | null;
          moving_from?: string | null;
          about?: string | null;
          updated_at?: string;
        };
        Relationships: [];
      };
      left_outs: {
        Row: {
          user_id: string;
          listing_id: string;
          search_id: string;
          rule: Json;
          payload: Json;
          left_out_at: string;
          returned_at: string | null;
        };
        Insert: {
          user_id: string;
          listing_id: string;
          search_id: string;
          rule: Json;
          payload: Json;
          left_out_at?: string;
          returned_at?: string | null;
        };
        Update: {
          user_id?: string;
          listing_id?: string;
          search_id?: string;
          rule?: Json;
          payload?: Json;
          left_out_at?: string;
          returned_at?: string | null;
        };
        Relationships: [];
      };
      listings: {
        Row: {
          listing_id: string;
          user_id: string;
          created_at: string;
          details: Json;
          search_ids: string[];
          home_id: string | null;
        };
        Insert: {
          listing_id: string;
          user_id: string;
          created_at?: string;
          details: Json;
          search_ids?: string[];
          home_id?: string | null;
        };
        Update: {
          listing_id?: string;
          user_id?: string;
          created_at?: string;
          details?: Json;
          search_ids?: string[];
          home_id?: string | null;
        };
        Relationships: [];
      };
      mail_addresses: {
        Row: {
          user_id: string;
          token: string;
          created_at: string;
          forwarding_code: string | null;
          forwarding_link: string | null;
          forwarding_asked_at: string | null;
        };
        Insert: {
          user_id: string;
          token: string;
          created_at?: string;
          forwarding_code?: string | null;
          forwarding_link?: string | null;
          forwarding_asked_at?: string | null;
        };
        Update: {
          user_id?: string;
          token?: string;
          created_at?: string;
          forwarding_code?: string | null;
          forwarding_link?: string | null;
          forwarding_asked_at?: string | null;
        };
        Relationships: [];
      };
      market_figures: {
        Row: {
          place_id: string;
          place_name: string;
          operation: string;
          size_band: string;
          seen_count: number;
          median_per_m2_eur: number;
          low_per_m2_eur: number;
          high_per_m2_eur: number;
          median_days: number | null;
          gone_count: number;
          cut_percent: number;
          prices_per_m2_eur: number[];
        };
        Insert: {
          place_id: string;
          place_name: string;
          operation: string;
          size_band: string;
          seen_count: number;
          median_per_m2_eur: number;
          low_per_m2_eur: number;
          high_per_m2_eur: number;
          median_days?: number | null;
          gone_count: number;
          cut_percent: number;
          prices_per_m2_eur?: number[];
        };
        Update: {
          place_id?: string;
          place_name?: string;
          operation?: string;
          size_band?: string;
          seen_count?: number;
          median_per_m2_eur?: number;
          low_per_m2_eur?: number;
          high_per_m2_eur?: number;
          median_days?: number | null;
          gone_count?: number;
          cut_percent?: number;
          prices_per_m2_eur?: number[];
        };
        Relationships: [];
      };
      marks: {
        Row: {
          user_id: string;
          listing_id: string;
          mark: string | null;
          note: string | null;
          chat_id: number | null;
          created_at: string;
          updated_at: string;
          home_id: string;
        };
        Insert: {
          user_id: string;
          listing_id: string;
          mark?: string | null;
          note?: string | null;
          chat_id?: number | null;
          created_at?: string;
          updated_at?: string;
          home_id: string;
        };
        Update: {
          user_id?: string;
          listing_id?: string;
          mark?: string | null;
          note?: string | null;
          chat_id?: number | null;
          created_at?: string;
          updated_at?: string;
          home_id?: string;
        };
        Relationships: [];
      };
      own_places: {
        Row: {
          id: string;
          user_id: string;
          name: string;
          latitude: number;
          longitude: number;
          created_at: string;
        };
        Insert: {
          id?: string;
          user_id?: string;
          name: string;
          latitude: number;
          longitude: number;
          created_at?: string;
        };
        Update: {
          id?: string;
          user_id?: string;
          name?: string;
          latitude?: number;
          longitude?: number;
          created_at?: string;
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          id: string;
          full_name: string | null;
          email: string | null;
          language: string | null;
          mails_when_away: boolean;
          time_zone: string | null;
        };
        Insert: {
          id: string;
          full_name?: string | null;
          email?: string | null;
          language?: string | null;
          mails_when_away?: boolean;
          time_zone?: string | null;
        };
        Update: {
          id?: string;
          full_name?: string | null;
          email?: string | null;
          language?: string | null;
          mails_when_away?: boolean;
          time_zone?: string | null;
        };
        Relationships: [];
      };
      received_mails: {
        Row: {
          id: string;
          user_id: string;
          received_at: string;
          outcome: string;
          why: string | null;
          portal: string | null;
          listing_count: number;
          new_count: number;
        };
        Insert: {
          id?: string;
          user_id: string;
          received_at?: string;
          outcome: string;
          why?: string | null;
          portal?: string | null;
          listing_count?: number;
          new_count?: number;
        };
        Update: {
          id?: string;
          user_id?: string;
          received_at?: string;
          outcome?: string;
          why?: string | null;
          portal?: string | null;
          listing_count?: number;
          new_count?: number;
        };
        Relationships: [];
      };
      searches: {
        Row: {
          id: string;
          user_id: string;
          first_of: string | null;
          is_first: boolean;
          filter_url: string;
          receiver_ids: string[];
          name: string | null;
          is_paused: boolean;
          quiet_from: string | null;
          quiet_until: string | null;
          rules: Json;
          is_folded: boolean;
          created_at: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          user_id: string;
          first_of?: string | null;
          filter_url: string;
          receiver_ids: string[];
          name?: string | null;
          is_paused?: boolean;
          quiet_from?: string | null;
          quiet_until?: string | null;
          rules?: Json;
          is_folded?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          user_id?: string;
          first_of?: string | null;
          filter_url?: string;
          receiver_ids?: string[];
          name?: string | null;
          is_paused?: boolean;
          quiet_from?: string | null;
          quiet_until?: string | null;
          rules?: Json;
          is_folded?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      watch_intervals: {
        Row: {
          source: string;
          interval_seconds: number;
          spent_until: string | null;
        };
        Insert: {
          source: string;
          interval_seconds: number;
          spent_until?: string | null;
        };
        Update: {
          source?: string;
          interval_seconds?: number;
          spent_until?: string | null;
        };
        Relationships: [];
      };
    };
    Views: {
      filter_settings: {
        Row: {
          id: string;
          user_id: string | null;
          filter_url: string;
          receiver_ids: string[];
          created_at: string;
          updated_at: string;
          is_paused: boolean;
          name: string | null;
          quiet_from: string | null;
          quiet_until: string | null;
          rules: Json;
          is_folded: boolean;
        };
        Insert: {
          id?: string;
          user_id?: string | null;
          filter_url: string;
          receiver_ids: string[];
          created_at?: string;
          updated_at?: string;
          is_paused?: boolean;
          name?: string | null;
          quiet_from?: string | null;
          quiet_until?: string | null;
          rules?: Json;
          is_folded?: boolean;
        };
        Update: {
          id?: string;
          user_id?: string | null;
          filter_url?: string;
          receiver_ids?: string[];
          created_at?: string;
          updated_at?: string;
          is_paused?: boolean;
          name?: string | null;
          quiet_from?: string | null;
          quiet_until?: string | null;
          rules?: Json;
          is_folded?: boolean;
        };
        Relationships: [];
      };
    };
    Functions: {
      allow_telegram_link: { Args: { state: string; current_password?: string }; Returns: undefined };
      bring_back: { Args: { listing_id: string }; Returns: undefined };
      create_telegram_link: { Args: { search_id?: string }; Returns: Json };
      delete_my_account: { Args: { current_password?: string }; Returns: undefined };
      describe_address_link: { Args: { token_hash: string }; Returns: Json };
      end_my_session: { Args: { session_id: string }; Returns: boolean };
      export_my_data: { Args: Record<never, never>; Returns: Json };
      has_password: { Args: Record<never, never>; Returns: boolean };
      mail_alert_steps: { Args: Record<never, never>; Returns: undefined };
      mark_find: { Args: { listing_id: string; mark?: string; replaces?: Json }; Returns: undefined };
      measured_figures: { Args: Record<never, never>; Returns: Json };
      my_failed_alerts: { Args: Record<never, never>; Returns: Json };
      my_find: { Args: { listing_id: string }; Returns: Json };
      my_find_points: { Args: { filter?: Json }; Returns: Json };
      my_finds: { Args: { filter?: Json; after?: string; page_size?: number }; Returns: Json };
      my_left_out_counts: { Args: { search_id?: string }; Returns: Json };
      my_past_homes: { Args: { search_id: string }; Returns: Json };
      my_security_events: { Args: Record<never, never>; Returns: Json };
      my_sessions: { Args: Record<never, never>; Returns: Json };
      my_watches: { Args: Record<never, never>; Returns: Json };
      note_find: { Args: { listing_id: string; note?: string; replaces?: Json }; Returns: undefined };
      preview_search: { Args: { filter_url: string }; Returns: Json };
      refuse_address: { Args: { token_hash: string }; Returns: string };
      renew_mail_address: { Args: Record<never, never>; Returns: undefined };
      save_first: { Args: { filter_url: string; receiver_ids: string[]; seen_chats: string[] }; Returns: Json };
      send_test_message: { Args: { chat_id: number }; Returns: undefined };
      unlink_telegram: { Args: { current_password?: string; keep_chat?: boolean }; Returns: undefined };
      watch_listing: { Args: { listing_id: string }; Returns: undefined };
    };
  };
};
