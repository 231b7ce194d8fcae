import { Copy } from "lucide-react";
import { Trans } from "react-i18next";
import { LocalLink } from "#web/components/local-link.tsx";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { FormParts } from "../form/form-parts.ts";
import { searchAddress } from "./search-address.ts";
import { sameSearchOf } from "./search-rows.ts";

/** Says that another search of the person asks for the same. It can be saved anyway. */
export function SameSearchNotice({ state, others }: Pick<FormParts, "state" | "others">) {
  const t = useTexts("filter");
  const words = useWords("search");
  const same = others.length > 0 ? sameSearchOf(state.url, others) : undefined;
  return (
    <div role="status" className="empty:hidden">
      {same && (
        <p className="flex gap-3 rounded-xl border border-strong-line px-4 py-3 text-[0.9375rem] leading-snug">
          <Copy aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <span className="min-w-0 wrap-anywhere">
            <Trans
              t={t}
              i18nKey="searches.same"
              values={{ name: searchNameOf(same, words) }}
              components={{
                other: (
                  <LocalLink
                    to={searchAddress(same.id)}
                    className="font-semibold underline underline-offset-4"
                  />
                ),
              }}
            />
          </span>
        </p>
      )}
    </div>
  );
}
