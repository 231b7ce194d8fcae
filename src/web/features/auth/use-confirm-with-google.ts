import { useCallback } from "react";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";
import { beginGoogleTrip } from "./google-trip.ts";

/** Leaves for Google and comes back to a page of ours with a session just made. */
export function useConfirmWithGoogle(): (path: string) => Promise<void> {
  const language = useLanguage();
  return useCallback(
    async (path) => {
      const { openGoogle } = await import("./auth-calls.ts");
      beginGoogleTrip({ from: path });
      await openGoogle(language);
    },
    [language],
  );
}
