import { X } from "lucide-react";
import { useEffect } from "react";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/**
 * For guests. The script in the head shows it, hides it and stores the answer, so that it works before hydration.
 */
export function CookieNotice() {
  const t = useTexts("common");
  const isSignedIn = useSession().user !== null;
  useEffect(() => {
    if (isSignedIn) delete document.documentElement.dataset.cookieNotice;
  }, [isSignedIn]);
  return (
    <section
      data-keep-clear
      aria-label={t("cookies.label")}
      className="fixed inset-x-0 bottom-0 z-40 hidden border-t border-line bg-surface text-ink shadow-card md:right-auto md:bottom-5 md:left-5 md:max-w-beside-toasts in-data-cookie-notice:block md:rounded-2xl md:border"
    >
      <div className="flex items-center gap-2 py-1.5 pr-1.5 pl-4 md:gap-3 md:p-2 md:pl-5">
        <p className="flex-1 text-fine leading-snug md:text-sm">
          {t("cookies.text")}{" "}
          <LocalLink to="/privacy" className="py-1.5 underline underline-offset-2">
            {t("footer.privacy")}
          </LocalLink>
        </p>
        <Button variant="solid" data-cookies="accept">
          {t("cookies.accept")}
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("cookies.dismiss")} data-cookies="dismiss">
          <X aria-hidden className="size-5" />
        </Button>
      </div>
    </section>
  );
}
