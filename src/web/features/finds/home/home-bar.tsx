import { Check, ExternalLink, Link2, MessageSquareText } from "lucide-react";
import { Suspense, useRef } from "react";
import { useLocation } from "react-router";
import type { FoundHome } from "#core/finds/find.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { buttonVariants } from "#web/components/ui/button-variants.ts";
import { useFootRoom } from "#web/components/ui/use-foot-room.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useCopy } from "#web/lib/browser/use-copy.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { isInApp } from "#web/lib/mini-app/is-in-app.ts";
import { PortalLink } from "../list/card/card-actions.tsx";
import { MESSAGE_TITLE_ID } from "./message-part.tsx";

const SendHome = lazyPart(async () => (await import("./send-home.tsx")).SendHome, {
  namespaces: ["mini-app"],
});

/** The two ways to the advertiser, always in view below the home. On a phone their words need the width of the icons. */
export function HomeBar({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const bar = useRef<HTMLDivElement>(null);
  useFootRoom(bar);
  const isApp = isInApp(useLocation().pathname);
  const copyLink = <CopyLink url={advertUrlIn(find.url, useLanguage())} />;
  return (
    <div
      ref={bar}
      data-keep-clear
      className="sticky bottom-0 flex shrink-0 flex-wrap gap-2 border-t border-line bg-surface px-4 pt-2 pb-safe sm:justify-end sm:px-6"
    >
      {isApp ? (
        <Suspense>
          <SendHome listingId={find.listingId}>{copyLink}</SendHome>
        </Suspense>
      ) : (
        copyLink
      )}
      <Button variant="outline" size="bar" onClick={goToMessage}>
        <MessageSquareText aria-hidden className="size-4.5 max-sm:hidden" />
        {t("actions.message")}
      </Button>
      <PortalLink
        find={find}
        className={cn(buttonVariants({ variant: "lantern", size: "bar" }), "max-sm:grow-2")}
      >
        <ExternalLink aria-hidden className="size-4.5 max-sm:hidden" />
        {t("actions.open")}
      </PortalLink>
    </div>
  );
}

function CopyLink({ url }: { url: string }) {
  const t = useTexts("finds");
  const shown = useRef<HTMLSpanElement>(null);
  const { outcome, copy } = useCopy(url, shown);
  const Icon = outcome === "copied" ? Check : Link2;
  const name = t(outcome === "copied" ? "home.linkCopied" : "home.copyLink");
  return (
    <>
      <div role="status" className={outcome === "refused" ? "basis-full text-sm text-muted" : "sr-only"}>
        {outcome === "refused" ? t("home.copyFailed") : outcome === "copied" && name}{" "}
        <span ref={shown} hidden={outcome !== "refused"} className="wrap-anywhere">
          {url}
        </span>
      </div>
      <Button
        variant="outline"
        size="icon"
        className="self-center"
        aria-label={name}
        title={name}
        onClick={() => void copy()}
      >
        <Icon aria-hidden className="size-4.5" />
      </Button>
    </>
  );
}

function goToMessage(): void {
  const title = document.getElementById(MESSAGE_TITLE_ID);
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
  title?.closest("section")?.scrollIntoView({ block: "start" });
}
