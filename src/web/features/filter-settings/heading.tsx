import { Info } from "lucide-react";
import { useEffect, useRef } from "react";
import { Notice } from "#web/components/ui/notice.tsx";
import { BackLink } from "#web/components/ui/text-link.tsx";
import { MOST_SEARCHES, type SavedSearch } from "#web/lib/backend/searches.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { AddSearch } from "./searches/add-search.tsx";
import { LIST_ADDRESS } from "./searches/search-address.ts";
import type { FilterView } from "./searches/use-view.ts";

interface HeadingProps {
  view: FilterView | undefined;
  /** Undefined while they are loading. */
  searches: readonly SavedSearch[] | undefined;
  /** Increases with every save: the page then scrolls to its top. */
  saves: number;
}

/** The same element in every view, because it has the focus after a navigation. */
export function Heading({ view, searches = [], saves }: HeadingProps) {
  const count = searches.length;
  const t = useTexts("filter");
  const heading = useFocusOnView(view, saves);
  const isForm = view?.kind === "form";
  const isEdited = isForm && view.search !== null;
  const isSmall = view === undefined || (isForm && !isEdited);
  return (
    <div className="grid gap-3">
      {isForm && count > (isAddition(view) ? 0 : 1) && (
        <BackLink to={LIST_ADDRESS} className="-my-2">
          {t("searches.title")}
        </BackLink>
      )}
      <div className={isSmall ? "flex flex-wrap items-baseline justify-between gap-x-4" : "grid gap-1"}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={cn("wrap-anywhere", isSmall ? "text-lg" : "text-3xl md:text-4xl")}
        >
          <Title view={view} searches={searches} />
        </h1>
        <Lead view={view} count={count} />
      </div>
      {isEdited && count === 1 && (
        <div className="-my-2">
          <AddSearch count={count} />
        </div>
      )}
      {view?.isUnknown && (
        <Notice role="status" icon={Info}>
          <p>{t("searches.unknown")}</p>
        </Notice>
      )}
    </div>
  );
}

function isAddition(view: FilterView): boolean {
  return view.kind === "form" && view.search === null && !view.isFirst && !view.isDeleted;
}

function Title({ view, searches = [] }: Pick<HeadingProps, "view" | "searches">) {
  const t = useTexts("filter");
  const page = useTexts("common")("pages.filterSettings");
  const words = useWords("search");
  if (view?.kind === "list") return t("searches.title");
  if (view && isAddition(view)) return t("searches.new");
  return view?.search && searches.length > 1 ? searchNameOf(view.search, words, searches) : page;
}

function Lead({ view, count }: Pick<HeadingProps, "view"> & { count: number }) {
  const t = useTexts("filter");
  if (view === undefined) return null;
  if (view.kind === "list") {
    return <p className="text-muted">{t("searches.lead", { used: count, most: MOST_SEARCHES })}</p>;
  }
  if (view.search) return <p className="hidden text-muted sm:block">{t("page.manage")}</p>;
  return (
    <p className="hidden text-sm text-muted sm:block">
      {isAddition(view) ? t("searches.newLead") : t("page.setUp")}
    </p>
  );
}

/** Another view of the page is announced like a new page, and so is a save. */
function useFocusOnView(view: FilterView | undefined, saves: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = view && `${view.kind === "list" ? "list" : view.draftId} ${saves}`;
  const before = useRef(shown);
  useEffect(() => {
    const isChange = before.current !== undefined && shown !== undefined && before.current !== shown;
    before.current = shown ?? before.current;
    if (!isChange) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [shown]);
  return heading;
}
