import type { ReactNode } from "react";
import { FailureNotice } from "#web/components/failure-notice.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface PanelProps {
  id: string;
  title: string;
  description?: string;
  /** Ends something for good. */
  isGrave?: boolean;
  children: ReactNode;
}

export function Panel({ id, title, description, isGrave = false, children }: PanelProps) {
  return (
    <section
      aria-labelledby={id}
      className={cn(
        "grid gap-4 rounded-2xl border bg-surface p-5 sm:p-6",
        isGrave ? "border-tile/45" : "border-line shadow-card",
      )}
    >
      <div className="grid gap-1">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {description && <p className="text-[0.9375rem] text-muted">{description}</p>}
      </div>
      {children}
    </section>
  );
}

export function LoadFailure({ message, onRetry }: { message: string; onRetry(): void }) {
  const t = useTexts("account");
  return (
    <FailureNotice message={message}>
      <Button variant="link" size="inline" className="min-h-11 justify-self-start" onClick={onRetry}>
        {t("errors.retry")}
      </Button>
    </FailureNotice>
  );
}
