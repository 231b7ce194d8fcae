import { LoaderCircle } from "lucide-react";
import { useEffect, useId } from "react";
import { type Location, useLocation } from "react-router";
import { failureLine } from "#web/lib/auth/auth-failure.ts";
import { rememberedLocation } from "#web/lib/auth/session.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { openGoogle } from "./auth-calls.ts";

export function GoogleButton() {
  const t = useTexts("auth");
  const { isLeaving, isUnavailable, failure, leave } = useGoogle();
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
        <FormFailure failure={failure} />
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
  /** Resolves to whether the page is being left. */
  const { isBusy, data, failure, run, reset } = useAction({
    run: async () => {
      const { googleSignIn } = await loadConfig();
      if (googleSignIn) await openGoogle(language, rememberedLocation(location.state));
      return googleSignIn;
    },
    failure: (error) => ({ title: t("google.failure.title"), description: failureLine(error, t) }),
  });
  // The browser's Back button restores the page as it was left: make the button usable again.
  useEffect(() => {
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, [reset]);
  const isLeaving = isBusy || data === true;
  return { isLeaving, isUnavailable: data === false, failure, leave: () => isLeaving || run() };
}

/** Sign-in with Google can be switched off here. */
const FEATURES: { googleSignIn: boolean } = { googleSignIn: true };

/** Google's logo, required by their branding guidelines. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="size-5">
      <path
        fill="#4285F4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62Z"
      />
      <path
        fill="#34A853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.32-1.58-5.03-3.7H.96v2.33A9 9 0 0 0 9 18Z"
      />
      <path fill="#FBBC05" d="M3.97 10.72a5.4 5.4 0 0 1 0-3.44V4.95H.96a9 9 0 0 0 0 8.1l3.01-2.33Z" />
      <path
        fill="#EA4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.95l3.01 2.33C4.68 5.16 6.66 3.58 9 3.58Z"
      />
    </svg>
  );
}
