import { useState } from "react";
import { MANY_A_DAY } from "#core/rules/many-a-day.ts";
import { Switch } from "#web/components/form/switch.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/change-search.ts";

/** Summaries instead of single alerts. Offered to a search with many alerts, and only the person switches it. */
export function SummarySwitch({ userId, search }: { userId: string; search: SavedSearch }) {
  const t = useTexts("rules");
  const change = useChangeSearch(userId);
  const found = useWatch(userId, search).data?.alerts.found ?? 0;
  // Shown within the tap; the answer of the server replaces it.
  const [tapped, setTapped] = useState<boolean>();
  const { failure, run } = useAction({
    run: (isFolded: boolean) => change(search, { isFolded }).finally(() => setTapped(undefined)),
    failure: t("failure", { returnObjects: true }),
  });
  return (
    <div className="grid gap-1.5">
      <Switch
        label={t("summary.switch")}
        isOn={tapped ?? search.isFolded}
        onTurn={(isFolded) => {
          setTapped(isFolded);
          run(isFolded);
        }}
      />
      <p className="text-md text-muted">
        {found > MANY_A_DAY && !search.isFolded ? t("summary.offer") : t("summary.text")} {t("summary.cuts")}
      </p>
      <FormFailure failure={failure} />
    </div>
  );
}
