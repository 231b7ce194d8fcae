import { ExternalLink, MessageSquareText } from "lucide-react";
import { useRef } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { Button } from "#web/components/ui/button.tsx";
import { buttonVariants } from "#web/components/ui/button-variants.ts";
import { useFootRoom } from "#web/components/ui/use-foot-room.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { PortalLink } from "../list/card/card-actions.tsx";
import { MESSAGE_TITLE_ID } from "./message-part.tsx";

/** The two ways to the advertiser, always in view below the home. */
export function HomeBar({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const bar = useRef<HTMLDivElement>(null);
  useFootRoom(bar);
  return (
    <div
      ref={bar}
      data-keep-clear
      className="sticky bottom-0 flex shrink-0 gap-2 border-t border-line bg-surface px-4 pt-2 pb-safe sm:justify-end sm:px-6"
    >
      <Button variant="outline" size="bar" onClick={goToMessage}>
        <MessageSquareText aria-hidden className="size-4.5" />
        {t("actions.message")}
      </Button>
      <PortalLink
        find={find}
        className={cn(buttonVariants({ variant: "lantern", size: "bar" }), "max-sm:grow-2")}
      >
        <ExternalLink aria-hidden className="size-4.5" />
        {t("actions.open")}
      </PortalLink>
    </div>
  );
}

function goToMessage(): void {
  const title = document.getElementById(MESSAGE_TITLE_ID);
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
  title?.closest("section")?.scrollIntoView({ block: "start" });
}
