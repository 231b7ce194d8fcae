import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { FindFilter } from "#core/finds/find.ts";
import { LocalLink } from "#web/components/local-link.tsx";
import { Roofline } from "#web/components/roofline.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { isFiltered, withParts } from "./address/find-address.ts";

interface EmptyListProps {
  filter: FindFilter;
  hasSearch: boolean;
}

export function EmptyList({ filter, hasSearch }: EmptyListProps) {
  const t = useTexts("finds");
  if (isFiltered(filter)) return <NothingFits filter={filter} />;
  if (!hasSearch) {
    return (
      <Night title={t("empty.noSearchTitle")} text={t("empty.noSearchText")} isAsleep>
        <Button variant="lantern" size="lg" asChild>
          <LocalLink to="/filter-settings">{t("empty.noSearchAction")}</LocalLink>
        </Button>
      </Night>
    );
  }
  return (
    <Night title={t("empty.nothingTitle")} text={t("empty.nothingText")}>
      <Button variant="outline" size="lg" asChild>
        <LocalLink to="/filter-settings">{t("empty.nothingAction")}</LocalLink>
      </Button>
    </Night>
  );
}

function NothingFits({ filter }: { filter: FindFilter }) {
  const t = useTexts("finds");
  const [params] = useSearchParams();
  const { order: _, state, ...others } = filter;
  const isAboutState =
    Object.keys(others).length === 0 && (state === "kept" || state === "hidden" || state === "left-out");
  const clear = withParts(params, { search: null, state: null, zone: null, min: null, max: null });
  return (
    <div className="grid justify-items-start gap-2 rounded-2xl border border-line bg-surface p-6 sm:p-8">
      <h2 className="text-xl">{t(isAboutState ? `empty.${state}Title` : "empty.filterTitle")}</h2>
      <p className="text-muted">{t(isAboutState ? `empty.${state}Text` : "empty.filterText")}</p>
      <Button variant="outline" className="mt-2" asChild>
        <Link to={clear || "?"}>{t("filter.clear")}</Link>
      </Button>
    </div>
  );
}

interface NightProps {
  title: string;
  text: string;
  isAsleep?: boolean;
  children: ReactNode;
}

function Night({ title, text, isAsleep = false, children }: NightProps) {
  return (
    <div className="night relative grid min-h-96 content-start justify-items-start gap-3 overflow-hidden rounded-2xl border border-line bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)] px-6 pt-10 pb-48 sm:px-10 sm:pt-14">
      <Roofline isAsleep={isAsleep} />
      <h2 className="relative text-2xl sm:text-3xl">{title}</h2>
      <p className="relative max-w-lg text-muted">{text}</p>
      <div className="relative mt-3">{children}</div>
    </div>
  );
}
