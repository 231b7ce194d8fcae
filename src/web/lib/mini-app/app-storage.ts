import { createTabStorage } from "../browser/storage.ts";

/** For supabase-js, which keeps its session under this name. */
export const APP_SESSION_KEY = "sb-telegram-auth-token";

/** Inside Telegram neither cookies nor local storage can be relied on, and the next person may have the same ones. */
export const appStorage = createTabStorage();
