import { CloudUpload, ExternalLink, EyeOff, Heart, NotebookPen, RotateCcw } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { usePressedChoice } from "#web/lib/browser/use-pressed-choice.ts";
import { useIsWaiting } from "#web/lib/changes/unsent.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useIsNoteOpen, useListParts } from "../list-context.ts";

const action =
  "relative z-10 flex min-h-12 min-w-0 cursor-pointer flex-col items-center justify-center gap-0.5 rounded-xl px-0.5 text-fine leading-tight font-semibold hover:bg-ink/7 sm:min-h-11 sm:flex-row sm:gap-1.5 sm:px-3 sm:text-sm [&_svg]:size-5 sm:[&_svg]:size-4.5 [&_svg]:shrink-0";

interface CardActionsProps {
  find: FoundHome;
  /** Not in the opened home, which has the link in its bar. */
  hasPortalLink?: boolean;
}

/** The same on every card and in the opened home, in the same order. */
export function CardActions({ find, hasPortalLink = true }: CardActionsProps) {
  const t = useTexts("finds");
  const { marks } = useListParts();
  const [isKept, press] = usePressedChoice(find.mark === "kept");
  const isHidden = find.mark === "hidden";
  return (
    <>
      <WillBeSaved find={find} />
      <div className="-mx-2 grid auto-cols-fr grid-flow-col border-t border-line pt-1 sm:-mx-3 sm:flex sm:flex-wrap sm:justify-start sm:border-0 sm:pt-0">
        <Action
          aria-pressed={isKept}
          onClick={() => press(!isKept, () => (isKept ? marks.unmark(find) : marks.keep(find)))}
        >
          <Heart aria-hidden className={cn(isKept && "fill-lantern stroke-lantern")} />
          {isKept ? t("actions.kept") : t("actions.keep")}
        </Action>
        {isHidden ? (
          <Action onClick={() => marks.unmark(find)}>
            <RotateCcw aria-hidden />
            {t("actions.unhide")}
          </Action>
        ) : (
          <Action onClick={() => marks.hide(find)}>
            <EyeOff aria-hidden />
            {t("actions.hide")}
          </Action>
        )}
        <NoteAction homeId={find.homeId} />
        {hasPortalLink && (
          <PortalLink find={find} className={cn(action, "sm:ml-auto")}>
            <ExternalLink aria-hidden />
            <span aria-hidden>Idealista</span>
          </PortalLink>
        )}
      </div>
    </>
  );
}

function WillBeSaved({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const isWaiting = useIsWaiting(({ homeId }) => homeId === find.homeId);
  if (!isWaiting) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-semibold text-muted">
      <CloudUpload aria-hidden className="size-4.5 shrink-0" />
      {t("card.willBeSaved")}
    </p>
  );
}

/** On its own, because a press renders the note's form in the same frame. */
function NoteAction({ homeId }: Pick<FoundHome, "homeId">) {
  const t = useTexts("finds");
  const { openNote } = useListParts();
  const isOpen = useIsNoteOpen(homeId);
  return (
    <Action aria-expanded={isOpen} onClick={() => openNote.open(isOpen ? null : homeId)}>
      <NotebookPen aria-hidden />
      {t("actions.note")}
    </Action>
  );
}

function Action({ children, ...props }: ComponentProps<"button">) {
  return (
    <button type="button" className={action} {...props}>
      {children}
    </button>
  );
}

interface PortalLinkProps {
  find: Pick<FoundHome, "url">;
  className: string;
  children: ReactNode;
}

/** Links to web addresses only: any other kind of address must never become a link. */
export function PortalLink({ find, className, children }: PortalLinkProps) {
  const t = useTexts("finds");
  const language = useLanguage();
  if (!find.url.startsWith("https://")) return null;
  return (
    <a
      href={advertUrlIn(find.url, language)}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={t("actions.open")}
      className={className}
    >
      {children}
    </a>
  );
}
