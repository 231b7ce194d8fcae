import type { User } from "@supabase/supabase-js";
import { ChevronDown, Globe } from "lucide-react";
import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { LANGUAGE_TRAITS } from "#core/languages.ts";
import { FindsLink } from "#web/components/finds-link.tsx";
import { LanternMark } from "#web/components/lantern-mark.tsx";
import { LocalLink } from "#web/components/local-link.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useAuthDialog } from "#web/lib/auth/auth-dialog.ts";
import { displayNameOf, useSession } from "#web/lib/auth/session.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTheme } from "#web/lib/browser/theme.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MobileMenu } from "./mobile-menu.tsx";
import { ThemeIcon } from "./theme-icon.tsx";

export function SiteHeader({ isNight }: { isNight: boolean }) {
  const t = useTexts("common");
  return (
    <header
      className={cn(
        "z-30",
        isNight ? "night absolute inset-x-0 top-0" : "relative border-b border-line bg-background",
      )}
    >
      <div className="mx-auto flex h-14 max-w-6xl items-center justify-between pr-2 pl-4 md:h-18 md:px-6">
        <LocalLink
          to="/"
          aria-label={t("header.home")}
          className="-ml-1 flex h-11 items-center gap-2 rounded-lg px-1 text-xl font-bold tracking-tight"
        >
          <LanternMark className="size-8" />
          Sereno
        </LocalLink>
        <div className="hidden items-center gap-1 md:flex">
          <LanguageMenu />
          <ThemeMenu />
          <div className="ml-2 flex items-center gap-1">
            <AccountArea />
          </div>
        </div>
        <MobileMenu />
      </div>
    </header>
  );
}

const loadItems = () => import("./menu-items.tsx");
const ThemeItems = lazyPart(async () => (await loadItems()).ThemeItems);
const LanguageItems = lazyPart(async () => (await loadItems()).LanguageItems);
const UserItems = lazyPart(async () => (await loadItems()).UserItems);

function ThemeMenu() {
  const t = useTexts("common");
  const [theme] = useTheme();
  return (
    <LazyMenu
      label={t("header.theme")}
      trigger={
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("labelled", { label: t("header.theme"), text: t(`theme.${theme}`) })}
        >
          <ThemeIcon theme={theme} />
        </Button>
      }
      Items={ThemeItems}
    />
  );
}

function LanguageMenu() {
  const t = useTexts("common");
  const language = useLanguage();
  return (
    <LazyMenu
      label={t("header.language")}
      trigger={
        <Button
          variant="ghost"
          aria-label={t("labelled", { label: t("header.language"), text: LANGUAGE_TRAITS[language].name })}
        >
          <Globe aria-hidden className="size-4.5" />
          {LANGUAGE_TRAITS[language].name}
        </Button>
      }
      Items={LanguageItems}
    />
  );
}

function AccountArea() {
  const t = useTexts("common");
  const { user, isUnknown } = useSession();
  const { open } = useAuthDialog();
  if (user)
    return (
      <>
        <Button variant="ghost" asChild>
          <FindsLink>{t("header.finds")}</FindsLink>
        </Button>
        <UserMenu user={user} />
      </>
    );
  return (
    // The skeleton is exactly as wide as the buttons, so that they keep their place while the session is read. Without
    // a stored session the person is a guest at once: the script in the head sets that.
    <div className="relative">
      <div className={cn("flex items-center gap-2", isUnknown && "invisible in-data-guest:visible")}>
        <Button variant="ghost" onClick={() => open("signin")}>
          {t("header.signIn")}
        </Button>
        <Button variant="outline" onClick={() => open("signup")}>
          {t("header.signUp")}
        </Button>
      </div>
      {isUnknown && (
        <div
          role="status"
          data-testid="account-skeleton"
          className="absolute inset-0 flex items-center in-data-guest:hidden"
        >
          <span className="sr-only">{t("header.accountLoading")}</span>
          <Skeleton className="h-9 w-full" />
        </div>
      )}
    </div>
  );
}

function UserMenu({ user }: { user: User }) {
  const t = useTexts("common");
  const name = displayNameOf(user);
  const label = t("header.accountMenu", { name });
  return (
    <LazyMenu
      label={label}
      trigger={
        <Button variant="outline" aria-label={label}>
          <span className="max-w-36 truncate">{name}</span>
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      }
      Items={UserItems}
    />
  );
}

const loadMenu = () => import("../../components/ui/dropdown-menu.tsx");
const OpenedMenu = lazyPart<OpenedMenuProps>(
  async () => {
    const [{ OpenedMenu: Menu }] = await Promise.all([loadMenu(), loadItems()]);
    return ({ button: _button, onGiveUp: _onGiveUp, ...props }) => <Menu {...props} />;
  },
  { isFloating: true, instead: ({ button }) => button, onDismiss: ({ onGiveUp }) => onGiveUp() },
);

type OpenedMenuProps = ComponentProps<Awaited<ReturnType<typeof loadMenu>>["OpenedMenu"]> & {
  /** Shown while the menu cannot be loaded. */
  button: ReactNode;
  onGiveUp(): void;
};

interface LazyMenuProps {
  label: string;
  trigger: ReactElement<React.ComponentProps<typeof Button>>;
  Items: ComponentType;
}

/** A menu whose code (36 kB) loads when a pointer or the focus comes near its button. */
function LazyMenu({ label, trigger, Items }: LazyMenuProps) {
  const [openedBy, setOpenedBy] = useState<"pointer" | "keyboard">();
  const preload = () => {
    loadMenu().catch(() => undefined);
  };
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    // A click without a pointer comes from the Enter or the space key.
    onClick: (event) => setOpenedBy(event.detail === 0 ? "keyboard" : "pointer"),
    onKeyDown: (event) => {
      if (event.key === "ArrowDown") setOpenedBy("keyboard");
    },
  });
  if (!openedBy) return button;
  return (
    <Suspense fallback={button}>
      <OpenedMenu
        label={label}
        trigger={trigger}
        isByKeyboard={openedBy === "keyboard"}
        button={button}
        onGiveUp={() => setOpenedBy(undefined)}
      >
        <Items />
      </OpenedMenu>
    </Suspense>
  );
}
