import { X } from "lucide-react";
import { useState } from "react";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { readStored, store } from "#web/lib/browser/storage.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { STORAGE_KEYS } from "#web/lib/site/constants.ts";

export function CookieNotice() {
  const t = useTexts("common");
  const isIdle = useIdle();
  const [isHidden, setHidden] = useState(false);
  if (!isIdle || isHidden || readStored(STORAGE_KEYS.cookieConsent) !== null) return null;
  const accept = () => {
    store(STORAGE_KEYS.cookieConsent, "true");
    setHidden(true);
  };
  return (
    <section
      aria-label={t("cookies.label")}
      className="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-surface text-ink shadow-card md:inset-x-auto md:right-5 md:bottom-5 md:max-w-xl md:rounded-2xl md:border"
    >
      <div className="flex items-center gap-2 py-1.5 pr-1.5 pl-4 md:gap-3 md:p-2 md:pl-5">
        <p className="flex-1 text-[0.8125rem] leading-snug md:text-sm">
          {t("cookies.text")}{" "}
          <LocalLink to="/privacy" className="underline underline-offset-2">
            {t("footer.privacy")}
          </LocalLink>
        </p>
        <Button variant="solid" onClick={accept}>
          {t("cookies.accept")}
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("cookies.dismiss")} onClick={() => setHidden(true)}>
          <X aria-hidden className="size-5" />
        </Button>
      </div>
    </section>
  );
}
