import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { FIND_ORDERS, FIND_STATES, type FindFilter, type FindState } from "#core/finds/find.ts";
import { Form } from "#web/components/form/form.tsx";
import { Select } from "#web/components/form/select.tsx";
import { TextField } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { usePressedLink } from "#web/lib/browser/use-pressed-choice.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { type AddressPart, withParts } from "../address/find-address.ts";
import type { ZoneGroup } from "./zone-options.ts";

interface FiltersProps {
  filter: FindFilter;
  /** Empty with a single search. */
  searchNames: ReadonlyMap<string, string>;
  zones: readonly ZoneGroup[];
}

/** Filters and order: next to the list on a wide screen, collapsed above it on a phone. */
export function Filters({ filter, searchNames, zones }: FiltersProps) {
  const t = useTexts("finds");
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const chosen = [filter.searchId, filter.zone, filter.minPriceEur, filter.maxPriceEur, filter.order];
  const chosenCount = chosen.filter((part) => part !== undefined).length;
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-3 lg:gap-6">
      <div className="flex min-w-0 items-start gap-1 sm:gap-1.5 lg:block">
        <Button
          variant="outline"
          size="pill"
          className="lg:hidden"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden className="size-4.5" />
          <span className="max-sm:sr-only">{t("filter.title")}</span>
          {chosenCount > 0 && <span className="figures">({chosenCount})</span>}
          <ChevronDown
            aria-hidden
            className={cn("size-4 transition-transform max-sm:hidden", isOpen && "rotate-180")}
          />
        </Button>
        <StateLinks state={filter.state} />
      </div>
      <div
        id={panelId}
        className={cn(
          "grid-cols-2 gap-3 rounded-2xl border border-line bg-surface p-4 lg:grid lg:grid-cols-1 lg:gap-4 lg:border-0 lg:bg-transparent lg:p-0",
          isOpen ? "grid" : "hidden",
        )}
      >
        <h2 className="sr-only">{t("filter.title")}</h2>
        <Choice part="order" label={t("filter.order")} value={filter.order ?? ""}>
          {FIND_ORDERS.map((order) => (
            <option key={order} value={order === "newest" ? "" : order}>
              {t(`filter.orders.${order}`)}
            </option>
          ))}
        </Choice>
        {searchNames.size > 0 && (
          <Choice part="search" label={t("filter.search")} value={filter.searchId ?? ""}>
            <option value="">{t("filter.allSearches")}</option>
            {[...searchNames].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <ZoneChoice zones={zones} zone={filter.zone} />
        <PriceForm min={filter.minPriceEur} max={filter.maxPriceEur} />
      </div>
    </div>
  );
}

function ZoneChoice({ zones, zone }: { zones: readonly ZoneGroup[]; zone: string | undefined }) {
  const t = useTexts("finds");
  const known = zones.flatMap((group) => [group.id, ...group.zones.map(({ id }) => id)]);
  return (
    <Choice part="zone" label={t("filter.zone")} value={zone ?? ""}>
      <option value="">{t("filter.allZones")}</option>
      {zone !== undefined && !known.includes(zone) && <option value={zone}>{zone}</option>}
      {zones.map((group) =>
        group.zones.length === 0 ? (
          <option key={group.id} value={group.id}>
            {group.name}
          </option>
        ) : (
          <optgroup key={group.id} label={group.name}>
            <option value={group.id}>{t("filter.wholeZone", { name: group.name })}</option>
            {group.zones.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ),
      )}
    </Choice>
  );
}

function useGoTo() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  return async (parts: Partial<Record<AddressPart, string | null>>) =>
    navigate(withParts(params, parts) || "?");
}

interface ChoiceProps {
  part: AddressPart;
  label: string;
  value: string;
  children: ReactNode;
}

function Choice({ part, ...select }: ChoiceProps) {
  const goTo = useGoTo();
  return (
    <Select
      {...select}
      className="max-sm:col-span-2"
      onValue={(value) => void goTo({ [part]: value || null })}
    />
  );
}

const DIGITS = /\D/g;

function PriceForm({ min, max }: { min: number | undefined; max: number | undefined }) {
  const t = useTexts("finds");
  const goTo = useGoTo();
  const form = useForm({
    saved: { min: String(min ?? ""), max: String(max ?? "") },
    run: (typed) => goTo({ min: typed.min || null, max: typed.max || null }),
    failure: null,
  });
  return (
    <Form form={form} className="col-span-2 grid-cols-2 items-end lg:col-span-1 lg:gap-2">
      {(["min", "max"] as const).map((name) => (
        <TextField
          {...form.field(name)}
          key={name}
          size="sm"
          label={t(`filter.${name}`)}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="go"
          placeholder="€"
          className="figures"
          onValueChange={(value) => form.set({ [name]: value.replace(DIGITS, "").slice(0, 9) })}
        />
      ))}
      {form.isChanged && (
        <Button type="submit" variant="outline" className="col-span-2">
          {t("filter.apply")}
        </Button>
      )}
    </Form>
  );
}

type Shown = "all" | FindState;
const ALWAYS: readonly Shown[] = ["all", "new", "kept"];
const CHIP =
  "flex min-h-11 items-center rounded-full border border-line px-2.5 text-md font-semibold whitespace-nowrap text-muted hover:text-ink sm:px-4 lg:rounded-xl lg:border-transparent lg:px-3 lg:hover:bg-ink/5";

/** Three of them, and the one that is shown; the others are behind "More". */
function StateLinks({ state }: { state: FindState | undefined }) {
  const t = useTexts("finds");
  const [params] = useSearchParams();
  const [shown, follow] = usePressedLink<Shown>(state ?? "all");
  const [isOpen, setOpen] = useState(false);
  const links = isOpen ? (["all", ...FIND_STATES] as const) : [...new Set([...ALWAYS, shown])];
  const addressOf = (each: Shown) => withParts(params, { state: each === "all" ? null : each }) || "?";
  return (
    <nav aria-label={t("states.label")} className="min-w-0">
      <ul className="flex flex-wrap gap-1 sm:gap-1.5 lg:grid lg:gap-0.5">
        {links.map((each) => (
          <li key={each}>
            <Link
              to={addressOf(each)}
              aria-current={each === shown ? "true" : undefined}
              onClick={follow(each, addressOf(each))}
              className={cn(
                CHIP,
                "aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-background lg:aria-[current]:border-transparent lg:aria-[current]:bg-ink/8 lg:aria-[current]:text-ink",
              )}
            >
              {t(`chips.${each}`)}
            </Link>
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className={cn(CHIP, "cursor-pointer gap-1 lg:w-full")}
          >
            {t(isOpen ? "states.less" : "states.more")}
          </button>
        </li>
      </ul>
    </nav>
  );
}
