// Written by `npm run types` from the migrations; not to be edited.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
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
      filter_settings: {
        Row: {
          id: string;
          user_id: string;
          filter_url: string;
          receiver_ids: string[];
          created_at: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          user_id: string;
          filter_url: string;
          receiver_ids: string[];
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          user_id?: string;
          filter_url?: string;
          receiver_ids?: string[];
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      listings: {
        Row: {
          listing_id: string;
          user_id: string;
          created_at: string;
          details: Json;
        };
        Insert: {
          listing_id: string;
          user_id: string;
          created_at?: string;
          details: Json;
        };
        Update: {
          listing_id?: string;
          user_id?: string;
          created_at?: string;
          details?: Json;
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          id: string;
          full_name: string | null;
          email: string | null;
          language: string | null;
        };
        Insert: {
          id: string;
          full_name?: string | null;
          email?: string | null;
          language?: string | null;
        };
        Update: {
          id?: string;
          full_name?: string | null;
          email?: string | null;
          language?: string | null;
        };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      delete_my_account: { Args: Record<never, never>; Returns: undefined };
      export_my_data: { Args: Record<never, never>; Returns: Json };
    };
  };
};
