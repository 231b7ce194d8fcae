import type { ReactNode } from "react";

interface CardProps {
  id: string;
  title: string;
  description?: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Card({ id, title, description, aside, children }: CardProps) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-5 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <div className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          {aside}
        </div>
        {description && <p className="text-[0.9375rem] text-muted">{description}</p>}
      </div>
      {children}
    </section>
  );
}
