import { Copy } from "lucide-react";
import { Trans } from "react-i18next";
import { Notice } from "#web/components/ui/notice.tsx";
import { TextLink } from "#web/components/ui/text-link.tsx";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useSearchForm } from "../form/search-form.ts";
import { searchAddress } from "./search-address.ts";
import { sameSearchOf } from "./search-rows.ts";

/** Says that another search of the person asks for the same. It can be saved anyway. */
export function SameSearchNotice() {
  const t = useTexts("filter");
  const { values, others } = useSearchForm();
  const words = useWords("search");
  const same = others.length > 0 ? sameSearchOf(values.url, others) : undefined;
  return (
    <div role="status" className="empty:hidden">
      {same && (
        <Notice icon={Copy}>
          <p>
            <Trans
              t={t}
              i18nKey="searches.same"
              values={{ name: searchNameOf(same, words, others) }}
              components={{
                other: <TextLink to={searchAddress(same.id)} />,
              }}
            />
          </p>
        </Notice>
      )}
    </div>
  );
}
