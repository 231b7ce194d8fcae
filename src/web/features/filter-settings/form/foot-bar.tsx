import { type ReactNode, useRef } from "react";
import { useFootRoom } from "#web/components/ui/use-foot-room.ts";
import { cn } from "#web/lib/browser/class-names.ts";

interface FootBarProps {
  label?: string | undefined;
  /** How it looks on screens larger than a phone's, where by default it is part of the page. */
  className?: string;
  children: ReactNode;
}

/** Buttons at the bottom of the screen at any scroll position. Only for signed-in people, who see no cookie notice below it. */
export function FootBar({ label, className, children }: FootBarProps) {
  const bar = useRef<HTMLElement>(null);
  useFootRoom(bar);
  return (
    <section
      ref={bar}
      aria-label={label}
      data-keep-clear
      className={cn("z-30 grid gap-3 max-sm:bottom-bar sideways:bottom-card sideways:py-2", className)}
    >
      {children}
    </section>
  );
}
