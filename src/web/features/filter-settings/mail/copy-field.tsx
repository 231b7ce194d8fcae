import { Check, Copy } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface CopyFieldProps {
  label: string;
  value: string;
  /** To be read off and typed elsewhere. */
  isLarge?: boolean;
}

/** A text to be taken elsewhere: shown whole, however long, with a button that copies it. */
export function CopyField({ label, value, isLarge = false }: CopyFieldProps) {
  const t = useTexts("alert-mails");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { outcome, copy } = useCopy(value, field);
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-semibold">
        {label}
      </label>
      <div className="flex items-stretch gap-2">
        <textarea
          ref={field}
          id={id}
          readOnly
          rows={1}
          translate="no"
          spellCheck={false}
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className={cn(
            "field-sizing-content min-h-12 min-w-0 flex-1 resize-none rounded-xl border border-strong-line bg-background px-3.5 py-2.5 font-mono break-all text-ink focus-visible:outline-offset-0",
            isLarge
              ? "figures text-2xl leading-snug font-bold tracking-widest"
              : "text-[0.9375rem] leading-relaxed",
          )}
        />
        <Button
          variant="outline"
          className="h-auto! min-h-12 min-w-12 px-0 sm:px-4"
          aria-label={t("copy.named", { name: label })}
          onClick={() => void copy()}
        >
          {outcome === "copied" ? (
            <Check aria-hidden className="size-5 text-good" />
          ) : (
            <Copy aria-hidden className="size-5" />
          )}
          <span aria-hidden className="hidden sm:grid">
            {/* Both lie in one place, so that the wider one gives the width. */}
            <span className={cn("col-start-1 row-start-1", outcome === "copied" && "invisible")}>
              {t("copy.button")}
            </span>
            <span className={cn("col-start-1 row-start-1", outcome !== "copied" && "invisible")}>
              {t("copy.done")}
            </span>
          </span>
        </Button>
      </div>
      <p
        role="status"
        className={cn("text-sm text-muted empty:hidden", outcome === "copied" && "sm:sr-only")}
      >
        {outcome === "copied" && t("copy.done")}
        {outcome === "refused" && t("copy.failed")}
      </p>
    </div>
  );
}

const SHOWN_MS = 4_000;

/** Where the clipboard is closed to us, the text is selected for the person's own hand. */
function useCopy(value: string, field: React.RefObject<HTMLTextAreaElement | null>) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("copied");
    } catch {
      field.current?.focus();
      setOutcome("refused");
    }
  };
  return { outcome, copy };
}
