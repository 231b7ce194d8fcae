import { Check, Link2 } from "lucide-react";
import { useRef } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { useCopy } from "#web/lib/browser/use-copy.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function CopyLink({ url }: { url: string }) {
  const t = useTexts("finds");
  const shown = useRef<HTMLSpanElement>(null);
  const { outcome, copy } = useCopy(url, shown);
  const Icon = outcome === "copied" ? Check : Link2;
  return (
    <div className="grid justify-items-start gap-1">
      <Button variant="outline" onClick={() => void copy()}>
        <Icon aria-hidden className="size-4.5" />
        {t(outcome === "copied" ? "home.linkCopied" : "home.copyLink")}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {outcome === "refused" && t("home.copyFailed")}
      </p>
      <span ref={shown} hidden={outcome !== "refused"} className="text-sm wrap-anywhere">
        {url}
      </span>
    </div>
  );
}
