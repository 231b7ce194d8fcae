// Auth and data API as Supabase serves them, by @supabase/lite on our PostgreSQL.
import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";

export type SupabaseLiteOptions = {
  databaseUrl: string;
  jwtSecret: string;
  publishableKey: string;
  siteUrl: string;
  redirectUrls: string[];
};

export type SupabaseLite = {
  ensureSystemSchema: () => Promise<void>;
  fetch: (request: Request, peerAddress: string | null) => Promise<Response>;
  close: () => Promise<void>;
};

export function createSupabaseLite(options: SupabaseLiteOptions): SupabaseLite {
  const connection = createPostgresConnection({
    url: options.databaseUrl,
    postgresOptions: { max: 20, onnotice: () => {} },
  });
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: options.jwtSecret,
      publishable_key: options.publishableKey,
      site_url: options.siteUrl,
      additional_redirect_urls: options.redirectUrls,
      minimum_password_length: 6,
    },
  });
  return {
    ensureSystemSchema: () => app.ensureSystemSchema(),
    fetch: (request, peerAddress) => app.fetch(request, { peerAddress }),
    close: () => connection.close(),
  };
}
