import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { cn } from "#web/lib/browser/class-names.ts";

interface FootBarProps {
  label?: string | undefined;
  /** How it looks on screens wider than a phone's, where by default it is part of the page. */
  className?: string;
  children: ReactNode;
}

/** Buttons at the bottom of the screen at any scroll position, above the cookie notice. */
export function FootBar({ label, className, children }: FootBarProps) {
  const bar = useRef<HTMLElement>(null);
  const room = useNoticeRoom();
  useRoomForFocus(bar, room);
  return (
    <section
      ref={bar}
      aria-label={label}
      data-keep-clear
      className={cn(
        "z-30 grid gap-3 max-sm:sticky max-sm:bottom-[var(--room)] max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:px-4 max-sm:pt-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:shadow-card",
        className,
      )}
      style={{ "--room": `${room}px` } as CSSProperties}
    >
      {children}
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
function useRoomForFocus(bar: RefObject<HTMLElement | null>, room: number): void {
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const { style } = document.documentElement;
    const measure = () => {
      const isOverPage = element.offsetHeight > 0 && getComputedStyle(element).position === "sticky";
      style.scrollPaddingBottom = isOverPage ? `${element.offsetHeight + room + AIR_PX}px` : "";
      const focused = document.activeElement;
      const isField = focused?.matches("input, textarea, select") ?? false;
      if (isOverPage && isField) focused?.scrollIntoView({ block: "nearest" });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = "";
    };
  }, [bar, room]);
}
