import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRef } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FindPhoto } from "../list/card/find-photo.tsx";

/** All photos of the source, in a row that scrolls by finger, keys or two buttons. */
export function Photos({ find, photos = [] }: { find: FoundHome; photos?: readonly string[] | undefined }) {
  const t = useTexts("finds");
  const row = useRef<HTMLUListElement>(null);
  const urls = photos.length > 0 ? photos : [find.pictureUrl].filter((url) => url !== null);
  const move = (direction: number) => {
    const step = row.current?.firstElementChild?.clientWidth ?? 0;
    row.current?.scrollBy({ left: direction * (step + 8), behavior: "smooth" });
  };
  if (urls.length === 0) return null;
  return (
    <div className="relative">
      <ul
        ref={row}
        // What scrolls must be reachable by keyboard.
        tabIndex={urls.length > 1 ? 0 : -1}
        aria-label={t("home.photosLabel")}
        className="flex snap-x snap-mandatory gap-2 overflow-x-auto overscroll-x-contain bg-chat -outline-offset-4 [scrollbar-width:none]"
      >
        {urls.map((url, index) => (
          <li key={url} className="shrink-0 basis-full snap-start sm:basis-[min(30rem,100%)] only:basis-full">
            <FindPhoto
              url={url}
              alt={t("home.photoOf", { at: index + 1, count: urls.length })}
              isFirst={index < 2}
              isFaded={find.goneAt !== null}
              isWide
              className="h-64 sm:h-80"
            />
          </li>
        ))}
      </ul>
      {urls.length > 1 && (
        <>
          <MoveButton label={t("home.previous")} className="left-3" onClick={() => move(-1)}>
            <ChevronLeft aria-hidden className="size-5" />
          </MoveButton>
          <MoveButton label={t("home.next")} className="right-3" onClick={() => move(1)}>
            <ChevronRight aria-hidden className="size-5" />
          </MoveButton>
        </>
      )}
    </div>
  );
}

interface MoveButtonProps {
  label: string;
  className: string;
  onClick(): void;
  children: React.ReactNode;
}

function MoveButton({ label, className, onClick, children }: MoveButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={`absolute top-1/2 grid size-11 -translate-y-1/2 cursor-pointer place-items-center rounded-full bg-night/70 text-white hover:bg-night/85 ${className}`}
    >
      {children}
    </button>
  );
}
