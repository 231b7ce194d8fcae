/**
 * The frame of our pages inside Telegram, in place of header and footer. It signs the person in with what Telegram signed, and
 * shows Telegram's back button beside its own link.
 */
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { basePathOf, localizedPath } from "#core/languages.ts";
import { LocalLink } from "#web/components/local-link.tsx";
import { PrivatePageMeta } from "#web/components/page-meta.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { whenIdle } from "#web/lib/browser/next-task.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { type AppRefusal, signInToApp } from "#web/lib/mini-app/app-session.ts";
import { isAtLeast, takeLaunch } from "#web/lib/mini-app/launch.ts";
import { onTelegram, post } from "#web/lib/mini-app/telegram-client.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { WriteAccess } from "./write-access.tsx";

export function AppFrame({ children }: { children: ReactNode }) {
  const [refusal, setRefusal] = useState<AppRefusal | null>(null);
  const { user, isUnknown } = useSession();
  useBackButton();
  useSwipes();
  useEffect(() => {
    void signInToApp().then((failure) => setRefusal(failure ?? null));
    whenIdle(() => delete document.documentElement.dataset.font);
  }, []);
  const config = useConfig();
  const botUrl = `${config?.telegramLinkUrl ?? "https://t.me"}/${config?.botUsername ?? ""}`;
  // A session that ended, perhaps while the app was closed, cannot be renewed by the same launch.
  const shown = refusal ?? (user === null && !isUnknown ? "old" : null);
  return (
    <main id="content" tabIndex={-1} className="grow pt-(--frame-top) pb-(--frame-bottom) outline-none">
      {shown !== null && (
        <Refused refusal={shown} botUrl={botUrl} onSignedIn={() => window.location.reload()} />
      )}
      {shown === null && (
        <>
          <AppLinks />
          {user !== null && <WriteAccess userId={user.id} botUrl={botUrl} />}
          {children}
        </>
      )}
    </main>
  );
}

/** The pages of the app, and the way back: Telegram's own button is missing on some platforms. */
function AppLinks() {
  const t = useTexts("mini-app");
  const { pathname } = useLocation();
  // The address of a prerendered page ends with a slash.
  const isAtHomes = basePathOf(pathname).startsWith("/app/finds");
  return (
    <nav aria-label={t("pages")} className="flex justify-end px-4 pt-1">
      <LocalLink
        to={isAtHomes ? "/filter-settings" : "/finds"}
        className="flex min-h-11 items-center font-semibold text-link underline-offset-4 hover:underline"
      >
        {isAtHomes ? t("searches") : t("backToHomes")}
      </LocalLink>
    </nav>
  );
}

interface RefusedProps {
  refusal: AppRefusal;
  botUrl: string;
  onSignedIn(): void;
}

function Refused({ refusal, botUrl, onSignedIn }: RefusedProps) {
  const t = useTexts("mini-app");
  const language = useLanguage();
  const [isTrying, setTrying] = useState(false);
  const title = t(`refused.${refusal}.title`);
  const tryAgain = async () => {
    setTrying(true);
    const failure = await signInToApp();
    setTrying(false);
    if (failure === undefined) onSignedIn();
  };
  return (
    <section role="alert" className="mx-auto grid max-w-md justify-items-start gap-4 px-5 pt-10">
      <PrivatePageMeta title={`${title} · Sereno`} />
      <h1 className="text-2xl">{title}</h1>
      <p className="text-muted">{t(`refused.${refusal}.text`)}</p>
      {(refusal === "unknown" || refusal === "outside") && (
        <Button asChild>
          <a href={botUrl}>{t("openChat")}</a>
        </Button>
      )}
      {refusal === "old" && <Button onClick={() => post("web_app_close")}>{t("close")}</Button>}
      {refusal === "failed" && (
        <Button onClick={() => void tryAgain()}>{t(isTrying ? "signingIn" : "tryAgain")}</Button>
      )}
      <a className="text-link underline underline-offset-4" href={localizedPath("/finds", language)}>
        {t("openSite")}
      </a>
    </section>
  );
}

/** Telegram's back button: shown on every page but the list, and doing what the browser's would. */
function useBackButton(): void {
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const language = useLanguage();
  const isFirst = basePathOf(pathname) === "/app/finds" && search === "";
  useEffect(() => {
    if (!isAtLeast(takeLaunch()?.version ?? "0", "6.1")) return;
    post("web_app_setup_back_button", { is_visible: !isFirst });
    return onTelegram("back_button_pressed", () => {
      // The first page of this visit has no page before it.
      if (key === "default") void navigate(localizedPath("/app/finds", language), { replace: true });
      else void navigate(-1);
    });
  }, [isFirst, key, navigate, language]);
}

/** Pulling down closes the app: not where the same movement moves the map. */
function useSwipes(): void {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const hasMap = params.get("view") === "map" || params.has("home");
  useEffect(() => {
    if (!isAtLeast(takeLaunch()?.version ?? "0", "7.7")) return;
    post("web_app_setup_swipe_behavior", { allow_vertical_swipe: !hasMap });
  }, [hasMap]);
}
