import { LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useId } from "react";
import { type Location, useLocation } from "react-router";
import { failureLine } from "#web/lib/auth/auth-failure.ts";
import type { ProviderName } from "#web/lib/auth/providers.ts";
import { rememberedLocation } from "#web/lib/auth/session.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Button } from "../../components/ui/button.tsx";
import { FormFailure } from "../../components/ui/failure-notice.tsx";
import { openProvider } from "./auth-calls.ts";
import { GoogleMark, TelegramMark } from "./provider-marks.tsx";

/** Sign-in with a service can be switched off here. */
const FEATURES: Record<ProviderName, boolean> = { google: true, telegram: true };

/** The services to sign in with, above the form for email and password. */
export function ProviderButtons() {
  const t = useTexts("auth");
  if (!FEATURES.google && !FEATURES.telegram) return null;
  return (
    <div className="grid gap-4">
      <div className="grid gap-2.5">
        {FEATURES.google && <ProviderButton provider="google" mark={<GoogleMark />} />}
        {FEATURES.telegram && <ProviderButton provider="telegram" mark={<TelegramMark />} />}
      </div>
      <div className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("dialog.or")}
      </div>
    </div>
  );
}

function ProviderButton({ provider, mark }: { provider: ProviderName; mark: ReactNode }) {
  const t = useTexts("auth");
  const { isLeaving, isUnavailable, failure, leave } = useProvider(provider);
  const noteId = useId();
  return (
    <div className="grid gap-2">
      <Button
        variant="outline"
        className="h-12 w-full"
        aria-disabled={isLeaving}
        aria-describedby={isUnavailable ? noteId : undefined}
        onClick={leave}
      >
        {isLeaving ? <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" /> : mark}
        {isLeaving ? t(`${provider}.submitting`) : t(`${provider}.button`)}
      </Button>
      <p role="status" id={noteId} className="text-sm text-muted empty:hidden">
        {isUnavailable ? t(`${provider}.notConfigured`) : null}
      </p>
      <FormFailure failure={failure} />
    </div>
  );
}

function useProvider(provider: ProviderName) {
  const t = useTexts("auth");
  const language = useLanguage();
  const location: Location<unknown> = useLocation();
  /** Resolves to whether the page is being left. */
  const { isBusy, data, failure, run, reset } = useAction({
    savesNothing: true,
    run: async () => {
      const isOffered = (await loadConfig())[`${provider}SignIn`];
      if (isOffered) await openProvider(provider, language, rememberedLocation(location.state));
      return isOffered;
    },
    failure: (error) => ({ title: t(`${provider}.failure.title`), description: failureLine(error, t) }),
  });
  // The browser's Back button restores the page as it was left: make the button usable again.
  useEffect(() => {
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, [reset]);
  const isLeaving = isBusy || data === true;
  return { isLeaving, isUnavailable: data === false, failure, leave: () => isLeaving || run() };
}
