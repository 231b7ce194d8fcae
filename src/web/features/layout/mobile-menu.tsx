import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { LANGUAGE_TRAITS, LANGUAGES } from "#core/languages.ts";
import { FindsLink } from "#web/components/finds-link.tsx";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useAuthDialog } from "#web/lib/auth/auth-dialog.ts";
import { displayNameOf, useSession } from "#web/lib/auth/session.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { THEMES, useTheme } from "#web/lib/browser/theme.ts";
import { usePressedChoice } from "#web/lib/browser/use-pressed-choice.ts";
import { useChooseLanguage } from "#web/lib/i18n/choose-language.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ThemeIcon } from "./theme-icon.tsx";

export function MobileMenu() {
  const t = useTexts("common");
  const panelId = useId();
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = openAt === pathname;
  // The button changes first: the panel is the larger part to render.
  const [isPressed, press] = usePressedChoice(isOpen);
  const close = () => setOpenAt(undefined);

  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenAt(undefined);
      button.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOpen]);

  return (
    <div className="md:hidden">
      <Button
        ref={button}
        variant="ghost"
        size="icon"
        aria-expanded={isPressed}
        aria-controls={panelId}
        aria-label={isPressed ? t("header.closeMenu") : t("header.openMenu")}
        onClick={() => press(!isPressed, () => setOpenAt(isPressed ? undefined : pathname))}
      >
        <MenuIcon isOpen={isPressed} />
      </Button>
      <div id={panelId} hidden={!isOpen} className="absolute inset-x-0 top-full z-40 px-3">
        {isOpen && <MobileMenuPanel onDone={close} />}
      </div>
    </div>
  );
}

function MenuIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="size-6 stroke-current"
      strokeWidth="2"
      strokeLinecap="round"
    >
      {isOpen ? <path d="M6 6l12 12M18 6L6 18" /> : <path d="M4 8h16M9 16h11" />}
    </svg>
  );
}

/** The same entries as in the wide header. Each choice closes the panel. */
function MobileMenuPanel({ onDone }: { onDone: () => void }) {
  const t = useTexts("common");
  return (
    <div className="grid gap-5 rounded-2xl border border-line bg-surface p-4 text-ink shadow-card motion-safe:animate-menu-in">
      <AccountEntries onDone={onDone} />
      <section aria-label={t("header.language")}>
        <p aria-hidden className="pb-2 text-sm text-muted">
          {t("header.language")}
        </p>
        <LanguageEntries onDone={onDone} />
      </section>
      <section aria-label={t("header.theme")}>
        <p aria-hidden className="pb-2 text-sm text-muted">
          {t("header.theme")}
        </p>
        <ThemeEntries />
      </section>
    </div>
  );
}

const entry = "flex min-h-11 items-center rounded-lg px-3 font-medium hover:bg-ink/7";
const choice =
  "flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-lg border px-2 text-md aria-pressed:border-ink aria-pressed:font-semibold border-line hover:bg-ink/5";

function AccountEntries({ onDone }: { onDone: () => void }) {
  const t = useTexts("common");
  const { user, isUnknown, signOut } = useSession();
  const { open } = useAuthDialog();
  if (isUnknown) return <Skeleton className="h-11" />;
  if (!user) {
    const openForm = (mode: "signin" | "signup") => {
      onDone();
      open(mode);
    };
    return (
      <div className="grid grid-cols-2 gap-2">
        <Button variant="outline" onClick={() => openForm("signin")}>
          {t("header.signIn")}
        </Button>
        <Button variant="solid" onClick={() => openForm("signup")}>
          {t("header.signUp")}
        </Button>
      </div>
    );
  }
  const leave = () => {
    onDone();
    void signOut();
  };
  return (
    <nav aria-label={t("header.navigation")} className="grid">
      <p className="px-3 pb-2 text-sm wrap-anywhere text-muted">
        {user.email || (
          <>
            <span className="font-semibold text-ink">{displayNameOf(user)}</span>
            <br />
            {t("header.emailNotProvided")}
          </>
        )}
      </p>
      <FindsLink isLikely className={entry} onClick={onDone}>
        {t("header.finds")}
      </FindsLink>
      <LocalLink to="/profile" className={entry} onClick={onDone}>
        {t("header.profile")}
      </LocalLink>
      <LocalLink to="/filter-settings" className={entry} onClick={onDone}>
        {t("header.filterSettings")}
      </LocalLink>
      <button type="button" className={cn(entry, "cursor-pointer text-left")} onClick={leave}>
        {t("header.signOut")}
      </button>
    </nav>
  );
}

function LanguageEntries({ onDone }: { onDone: () => void }) {
  const current = useLanguage();
  const chooseLanguage = useChooseLanguage();
  return (
    <div className="grid grid-cols-2 gap-2">
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          className={choice}
          onClick={() => {
            onDone();
            chooseLanguage(language);
          }}
        >
          {LANGUAGE_TRAITS[language].name}
        </button>
      ))}
    </div>
  );
}

function ThemeEntries() {
  const t = useTexts("common");
  const [current, chooseTheme] = useTheme();
  return (
    <div className="grid grid-cols-3 gap-2">
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === current}
          className={cn(
            choice,
            "min-w-0 flex-col gap-1 py-2 text-center text-sm leading-tight hyphens-auto wrap-anywhere",
          )}
          onClick={() => chooseTheme(theme)}
        >
          <ThemeIcon theme={theme} />
          {t(`theme.${theme}`)}
        </button>
      ))}
    </div>
  );
}
