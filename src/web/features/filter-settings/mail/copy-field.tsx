import { Check, Copy } from "lucide-react";
import { useRef } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useCopy } from "#web/lib/browser/use-copy.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface CopyFieldProps {
  label: string;
  value: string;
  /** To be read and typed on another device. */
  isLarge?: boolean;
}

/** A text to copy: shown in full, with a copy button. */
export function CopyField({ label, value, isLarge = false }: CopyFieldProps) {
  const t = useTexts("alert-mails");
  const shown = useRef<HTMLElement>(null);
  const { outcome, copy } = useCopy(value, shown);
  const isCopied = outcome === "copied";
  const Icon = isCopied ? Check : Copy;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-md font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        <code
          ref={shown}
          translate="no"
          className={cn(
            "grid min-h-12 min-w-0 flex-1 content-center rounded-xl border border-strong-line bg-background px-3.5 py-2 wrap-anywhere",
            isLarge
              ? "basis-40 text-2xl leading-snug font-bold tracking-wide"
              : "basis-64 text-sm leading-relaxed",
          )}
        >
          <Breakable text={value} />
        </code>
        <Button variant="outline" className="min-h-12 flex-1 sm:flex-none" onClick={() => void copy()}>
          <Icon aria-hidden className={cn("size-5", isCopied && "text-good")} />
          {/* Both texts are in the same place, so that the longer one sets the width. */}
          <span className="grid">
            <span className={cn("col-start-1 row-start-1", isCopied && "invisible")}>{t("copy.button")}</span>
            <span className={cn("col-start-1 row-start-1", !isCopied && "invisible")}>{t("copy.done")}</span>
          </span>
        </Button>
      </div>
      <p role="status" className={cn("mt-1.5 text-sm text-muted empty:hidden", isCopied && "sr-only")}>
        {isCopied && t("copy.done")}
        {outcome === "refused" && t("copy.failed")}
      </p>
    </fieldset>
  );
}

/** Breaks an email address before the @. */
function Breakable({ text }: { text: string }) {
  const at = text.indexOf("@");
  if (at === -1) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  );
}
