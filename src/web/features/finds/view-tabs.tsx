import { Link } from "react-router";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { FindsView } from "./list/address/find-address.ts";

/** Each view has its own address: what is chosen in the list is not what is asked of the market. */
export function ViewTabs({ views, current }: { views: readonly FindsView[]; current: FindsView }) {
  const t = useTexts("finds");
  if (views.length < 2) return null;
  return (
    <nav
      aria-label={t("views.label")}
      className="max-sm:-mx-4 max-sm:shrink-0 max-sm:basis-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4"
    >
      <ul className="flex w-max gap-5 sm:gap-6">
        {views.map((view) => (
          <li key={view}>
            <Link
              to={view === "list" ? "?" : `?view=${view}`}
              aria-current={view === current ? "page" : undefined}
              className="flex min-h-11 items-center border-b-2 border-transparent font-semibold text-muted hover:text-ink aria-[current]:border-ink aria-[current]:text-ink"
            >
              {t(`views.${view}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
