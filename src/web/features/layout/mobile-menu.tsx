import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "#web/components/ui/button.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { MobileMenuPanel } from "./mobile-menu-panel.tsx";

/** The narrow header's menu: a button that unfolds a panel below the header. */
export function MobileMenu() {
  const t = useTexts("common");
  const panelId = useId();
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = openAt === pathname;
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
        aria-expanded={isOpen}
        aria-controls={panelId}
        aria-label={isOpen ? t("header.closeMenu") : t("header.openMenu")}
        onClick={() => setOpenAt(isOpen ? undefined : pathname)}
      >
        <MenuIcon isOpen={isOpen} />
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
