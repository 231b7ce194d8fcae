import { Link, useSearchParams } from "react-router";
import { FIND_STATES, type FindState } from "#core/finds/find.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { withParts } from "../address/find-address.ts";

/** In the order in which a hunter wants them. */
const SHOWN = ["all", ...FIND_STATES.filter((state) => state !== "hidden"), "hidden"] as const;

export function StateLinks({ state }: { state: FindState | undefined }) {
  const t = useTexts("finds");
  const [params] = useSearchParams();
  return (
    <nav
      aria-label={t("states.label")}
      className="max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 sm:max-lg:-mx-5"
    >
      <ul className="flex w-max gap-1.5 lg:grid lg:w-auto lg:gap-0.5">
        {SHOWN.map((each) => (
          <li key={each}>
            <Link
              to={withParts(params, { state: each === "all" ? null : each }) || "?"}
              aria-current={each === (state ?? "all") ? "true" : undefined}
              className="flex min-h-11 items-center rounded-full border border-line px-4 text-[0.9375rem] font-semibold text-muted hover:text-ink aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-background lg:rounded-xl lg:border-transparent lg:px-3 lg:hover:bg-ink/5 lg:aria-[current]:border-transparent lg:aria-[current]:bg-ink/8 lg:aria-[current]:text-ink"
            >
              {t(`states.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
