import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import type { MarketFigure } from "#core/finds/find.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Select } from "../../../components/form/select.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { formatPerM2 } from "./market-format.ts";
import {
  nextOrder,
  type OwnRows,
  type RowOrder,
  type SortKey,
  scalesOf,
  type ZoneLevel,
  type ZoneRow,
} from "./market-rows.ts";
import { type Choice, orderText } from "./use-choice.ts";
import { useSizeName } from "./use-size-name.ts";
import { ZoneTableRow } from "./zone-table-row.tsx";

interface ZoneTableProps {
  rows: OwnRows;
  /** The figure of the whole town, to compare with. */
  town: MarketFigure | null;
  choice: Choice;
  level: ZoneLevel;
  levels: readonly ZoneLevel[];
  onLevel(level: ZoneLevel): void;
  onOrder(order: RowOrder): void;
}

/** As many as a person compares at a glance; the rest is folded. */
const FIRST = 6;
const PAGE_SIZE = 30;
/** On a phone. Every other order is a press on a heading of the table. */
const PHONE_ORDERS: readonly RowOrder[] = [
  { key: "price", isDescending: false },
  { key: "price", isDescending: true },
  { key: "seen", isDescending: true },
  { key: "name", isDescending: false },
];

/** A table that becomes cards on a phone, where a select replaces the sortable headings. */
export function ZoneTable({
  rows: { own, others },
  town,
  choice,
  level,
  levels,
  onLevel,
  onOrder,
}: ZoneTableProps) {
  const t = useTexts("market");
  const sizeName = useSizeName();
  const rows = [...own, ...others];
  const [shown, setShown] = useState(Math.max(FIRST, own.length > 2 * FIRST ? FIRST : own.length));
  const scales = scalesOf(rows);
  const { order } = choice;
  return (
    <div className="grid gap-4">
      <div className="grid items-end gap-3 empty:hidden sm:flex">
        {levels.length > 1 && (
          <Select
            label={t("level.label")}
            className="sm:w-52"
            value={level}
            onValue={(value) => onLevel(value as ZoneLevel)}
          >
            {levels.map((one) => (
              <option key={one} value={one}>
                {t(`level.${one}`)}
              </option>
            ))}
          </Select>
        )}
        <Select
          label={t("sort.label")}
          className="md:hidden sm:w-64"
          value={orderText(order)}
          onValue={(value) => onOrder(orderOf(value))}
        >
          {phoneOrdersWith(order).map((each) => (
            <option key={orderText(each)} value={orderText(each)}>
              {t(`sort.${each.key}.${each.isDescending ? "descending" : "ascending"}`)}
            </option>
          ))}
        </Select>
        <Legend rows={rows} town={choice.town.name} hasTown={town !== null} />
      </div>
      {own.length > 0 && <h3 className="text-lg">{t("own", { count: own.length })}</h3>}
      <table className="w-full border-separate border-spacing-0 max-md:block">
        <caption className="sr-only">
          {t("caption", {
            town: choice.town.name,
            operation: t(`operation.${choice.operation}`),
            size: sizeName(choice.size),
          })}
        </caption>
        <thead className="max-md:hidden">
          <tr>
            {COLUMNS.map(({ key, className }) => (
              <Heading key={key} sortKey={key} className={className} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody className="max-md:grid max-md:gap-3">
          {rows.slice(0, shown).map((row) => (
            <ZoneTableRow
              key={row.placeId}
              row={row}
              scales={scales}
              townMedian={town?.medianPerM2Eur ?? null}
            />
          ))}
        </tbody>
      </table>
      {shown < rows.length && (
        <Button variant="outline" className="justify-self-center" onClick={() => setShown(shown + PAGE_SIZE)}>
          {t("more", { count: Math.min(PAGE_SIZE, rows.length - shown) })}
        </Button>
      )}
      <p className="text-sm text-muted">{t("note")}</p>
    </div>
  );
}

/** The address may ask for another. */
function phoneOrdersWith(order: RowOrder): readonly RowOrder[] {
  const isThere = PHONE_ORDERS.some((each) => orderText(each) === orderText(order));
  return isThere ? PHONE_ORDERS : [...PHONE_ORDERS, order];
}

const COLUMNS: readonly { key: SortKey; className: string }[] = [
  { key: "name", className: "w-6/25" },
  { key: "price", className: "w-9/25" },
  { key: "seen", className: "w-1/10" },
  { key: "days", className: "w-3/20" },
  { key: "cuts", className: "w-3/20" },
];

interface HeadingProps {
  sortKey: SortKey;
  className: string;
  order: RowOrder;
  onOrder(order: RowOrder): void;
}

function Heading({ sortKey, className, order, onOrder }: HeadingProps) {
  const t = useTexts("market");
  const isSorted = order.key === sortKey;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order.isDescending ? "descending" : "ascending") : "none"}
      className={cn("border-b border-strong-line text-left align-bottom font-normal", className)}
    >
      <button
        type="button"
        onClick={() => onOrder(nextOrder(order, sortKey))}
        className={cn(
          "flex min-h-11 w-full cursor-pointer items-center gap-1 rounded-md py-2 pr-3 text-left text-sm leading-tight hover:text-ink",
          isSorted ? "font-semibold text-ink" : "text-muted",
        )}
      >
        {t(`columns.${sortKey}`)}
        <Arrow aria-hidden className={cn("size-4 shrink-0", !isSorted && "invisible")} />
      </button>
    </th>
  );
}

/** Explains the strips and the range of their scale. */
function Legend({ rows, town, hasTown }: { rows: readonly ZoneRow[]; town: string; hasTown: boolean }) {
  const t = useTexts("market");
  const language = useLanguage();
  const { from, to } = scalesOf(rows).price;
  if (!Number.isFinite(from)) return null;
  return (
    <p className="pb-1 text-sm leading-snug text-muted sm:max-w-prose">
      {t(hasTown ? "legendWithTown" : "legend", {
        low: formatPerM2(from, language),
        high: formatPerM2(to, language),
        town,
      })}
    </p>
  );
}

function orderOf(value: string): RowOrder {
  return { key: value.replace(/^-/, "") as SortKey, isDescending: value.startsWith("-") };
}
