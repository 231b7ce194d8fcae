import { RefreshCw } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Notice } from "#web/components/ui/notice.tsx";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { FormParts } from "../form/form-parts.ts";
import { understandUrl } from "../search/understand-url.ts";

interface ElsewhereNoticeProps extends Pick<FormParts, "state" | "dispatch" | "save"> {
  onKeep(): void;
  onTake(): void;
}

/**
 * Says that the filter was changed in another tab or on another device, and asks which search to keep if both changed
 * it.
 */
export function ElsewhereNotice({ state, dispatch, save, onKeep, onTake }: ElsewhereNoticeProps) {
  const t = useTexts("filter");
  const box = useRef<HTMLDivElement>(null);
  // Focus the question: the button that was clicked may be a screen away.
  useEffect(() => {
    if (save.question) box.current?.focus();
  }, [save.question]);
  const { notice, base } = state;
  const isQuestion = (notice === "overtaken" || notice === "exists") && base !== null;
  return (
    <div role="status" ref={box} tabIndex={-1} className="rounded-xl empty:hidden">
      {notice !== null && (
        <Notice icon={RefreshCw}>
          <p>{t(`elsewhere.${notice}`)}</p>
          {isQuestion && <OtherSearch url={base.url} />}
          {isQuestion && (
            <div className="flex flex-wrap gap-2">
              <Button variant="outline" onClick={onKeep}>
                {t("elsewhere.keep")}
              </Button>
              <Button variant="outline" onClick={onTake}>
                {t("elsewhere.take")}
              </Button>
            </div>
          )}
          {notice === "merged" && (
            <Button variant="link" size="line" onClick={() => dispatch({ type: "base-shown" })}>
              {t("elsewhere.show")}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

function OtherSearch({ url }: { url: string }) {
  const t = useTexts("filter");
  const words = useWords("search");
  const search = understandUrl(url, { words, canSearchByUrl: true });
  return (
    <div className="grid gap-1 rounded-lg border border-line bg-background px-3.5 py-2.5">
      <p className="text-sm text-muted">{t("elsewhere.other")}</p>
      {search.state === "understood" && <p className="font-semibold wrap-anywhere">{search.text}</p>}
      <p translate="no" className="font-mono text-fine leading-relaxed break-all text-muted">
        {url}
      </p>
    </div>
  );
}
