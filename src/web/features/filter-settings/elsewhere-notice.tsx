import { RefreshCw } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";
import { useTexts } from "../../lib/use-texts.ts";
import type { FormParts } from "./form-parts.ts";

/** Tells of a filter that was changed in another tab or on another device. */
export function ElsewhereNotice({ state, dispatch }: Pick<FormParts, "state" | "dispatch">) {
  const t = useTexts("filter");
  return (
    <div role="status" className="empty:hidden">
      {state.notice !== null && (
        <div className="flex gap-3 rounded-xl border border-strong-line bg-surface px-4 py-3 text-[0.9375rem] leading-snug">
          <RefreshCw aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <div className="grid gap-1">
            <p>{t(`elsewhere.${state.notice}`)}</p>
            {state.notice !== "newer" && (
              <Button
                variant="link"
                size="inline"
                className="min-h-11 justify-self-start text-left whitespace-normal!"
                onClick={() => dispatch({ type: "base-shown" })}
              >
                {t("elsewhere.show")}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
