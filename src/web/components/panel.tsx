import type { ReactNode } from "react";
import { cn } from "../lib/browser/class-names.ts";

interface PanelProps {
  id: string;
  title: string;
  description?: string;
  aside?: ReactNode;
  isDestructive?: boolean;
  isSpacious?: boolean;
  children: ReactNode;
}

export function Panel({ id, title, description, aside, isDestructive, isSpacious, children }: PanelProps) {
  return (
    <section
      aria-labelledby={id}
      className={cn(
        "grid rounded-2xl border bg-surface p-5 sm:p-6",
        isDestructive ? "border-tile/45" : "border-line shadow-card",
        isSpacious ? "gap-5" : "gap-4",
      )}
    >
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          {aside}
        </div>
        {description && <p className="text-md text-muted">{description}</p>}
      </div>
      {children}
    </section>
  );
}
