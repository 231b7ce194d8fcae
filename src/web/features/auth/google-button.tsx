import { LoaderCircle } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { type Location, useLocation } from "react-router";
import { Button } from "../../components/ui/button.tsx";
import { loadConfig } from "../../lib/config.ts";
import { FEATURES } from "../../lib/features.ts";
import { rememberedLocation } from "../../lib/remembered-location.ts";
import { useAttempt } from "../../lib/use-attempt.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";
import { openGoogle } from "./auth-calls.ts";
import { GoogleMark } from "./google-mark.tsx";
import { beginGoogleTrip } from "./google-trip.ts";

/** Google's way in, and the word that divides it from ours. */
export function GoogleButton() {
  const t = useTexts("auth");
  const { isLeaving, isUnavailable, leave } = useGoogle();
  const noteId = useId();
  if (!FEATURES.googleSignIn) return null;
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <Button
          variant="outline"
          className="h-12 w-full"
          aria-disabled={isLeaving}
          aria-describedby={isUnavailable ? noteId : undefined}
          onClick={leave}
        >
          {isLeaving ? (
            <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />
          ) : (
            <GoogleMark />
          )}
          {isLeaving ? t("google.submitting") : t("google.button")}
        </Button>
        <p role="status" id={noteId} className="text-sm text-muted empty:hidden">
          {isUnavailable ? t("google.notConfigured") : null}
        </p>
      </div>
      <div className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("dialog.or")}
      </div>
    </div>
  );
}

function useGoogle() {
  const t = useTexts("auth");
  const language = useLanguage();
  const location: Location<unknown> = useLocation();
  const { run } = useAttempt({ title: t("google.failure.title") });
  const [isLeaving, setLeaving] = useState(false);
  const [isUnavailable, setUnavailable] = useState(false);

  // Back from Google by the browser's own button: the page is as it was left, and can be left again.
  useEffect(() => {
    const onReturn = () => setLeaving(false);
    window.addEventListener("pageshow", onReturn);
    return () => window.removeEventListener("pageshow", onReturn);
  }, []);

  const leave = async () => {
    if (isLeaving) return;
    setLeaving(true);
    const hasLeft = await run(async () => {
      const { googleSignIn } = await loadConfig();
      setUnavailable(!googleSignIn);
      setLeaving(googleSignIn);
      if (!googleSignIn) return;
      beginGoogleTrip({ from: rememberedLocation(location.state) });
      await openGoogle(language);
    });
    if (!hasLeft) setLeaving(false);
  };
  return { isLeaving, isUnavailable, leave: () => void leave() };
}
