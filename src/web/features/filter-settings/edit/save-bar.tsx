import { type CSSProperties, type RefObject, useEffect, useRef, useState } from "react";
import { FailureNotice } from "#web/components/failure-notice.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Save } from "../form/use-save.ts";

interface SaveBarProps {
  /** The form that the bar saves; the bar is at the bottom of the screen at any scroll position. */
  formId: string;
  save: Save;
  onDiscard(): void;
}

/** Shown while something is unsaved, above the cookie notice. */
export function SaveBar({ formId, save, onDiscard }: SaveBarProps) {
  const t = useTexts("filter");
  const bar = useRef<HTMLElement>(null);
  const bottom = useNoticeRoom();
  useRoomForFocus(bar, bottom);
  return (
    <section
      ref={bar}
      aria-label={t("edit.unsaved")}
      className="sticky bottom-[var(--room)] z-30 -mx-4 mt-5 grid gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-card sm:bottom-[calc(var(--room)+0.5rem)] sm:mx-0 sm:rounded-2xl sm:border sm:px-5 sm:pb-3 md:mt-6"
      style={{ "--room": `${bottom}px` } as CSSProperties}
    >
      {save.failure !== null && <FailureNotice message={save.failure} />}
      <div className="flex items-center gap-2 sm:gap-4">
        <SubmitButton
          form={formId}
          variant="lantern"
          size="lg"
          className="h-auto! min-h-13 min-w-0 flex-1 px-3! py-2 whitespace-normal! sm:flex-none sm:px-7!"
          isBusy={save.isBusy}
          busyText={t("edit.saving")}
        >
          {t("edit.save")}
        </SubmitButton>
        <Button
          variant="ghost"
          size="lg"
          className="h-auto! min-h-13 min-w-0 flex-1 px-3! py-2 whitespace-normal! sm:flex-none sm:px-7!"
          onClick={onDiscard}
        >
          {t("edit.discard")}
        </Button>
        <p aria-hidden className="hidden text-sm text-muted lg:block">
          {t("edit.unsaved")}
        </p>
      </div>
    </section>
  );
}

/** The height of the cookie notice at the bottom of the screen, which depends on its text and width. */
function useNoticeRoom(): number {
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const notice = document.querySelector("[data-cookies]")?.closest("section");
    if (!notice) return;
    const measure = () => {
      const { top, height } = notice.getBoundingClientRect();
      setRoom(height === 0 ? 0 : window.innerHeight - top);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(notice);
    return () => observer.disconnect();
  }, []);
  return room;
}

const AIR_PX = 16;

/** Scrolls so that the bar does not cover the focused field. */
function useRoomForFocus(bar: RefObject<HTMLElement | null>, bottom: number): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + bottom + AIR_PX}px`;
    const focused = document.activeElement;
    if (!bar.current?.contains(focused)) focused?.scrollIntoView({ block: "nearest" });
    return () => {
      style.scrollPaddingBottom = "";
    };
  }, [bar, bottom]);
}
