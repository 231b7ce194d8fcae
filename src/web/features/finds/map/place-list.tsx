import { ArrowLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { FindPoint } from "#core/finds/find.ts";
import type { PlaceGroup } from "#core/map/place-groups.ts";
import { pointOf } from "#core/map/sheets.ts";
import { formatPrice } from "#text/labels.ts";
import { placeNameOf } from "#web/components/map/place-names.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

interface PlaceListProps {
  title: string;
  groups: readonly PlaceGroup[];
  /** What was seen in a zone, where prices are shown. */
  factOf(placeId: string | null): string | undefined;
  onLookAt(group: PlaceGroup | null): void;
  onOpen(group: PlaceGroup): void;
}

/** Everything that is on the map, for who cannot see it or does not use a pointer. */
export function PlaceList({ title, groups, factOf, onLookAt, onOpen }: PlaceListProps) {
  const t = useTexts("map");
  return (
    <section aria-labelledby="map-list" className="grid min-h-0 content-start gap-2">
      <h2 id="map-list" className="text-base">
        {title}
      </h2>
      <RovingList>
        {groups.map((group) => (
          <Row
            key={group.placeId}
            title={(group.placeId && placeNameOf(group.placeId)) || t("unknownZone")}
            facts={[t("count", { count: group.finds.length }), factOf(group.placeId)]}
            onLookAt={() => onLookAt(group)}
            onPress={() => onOpen(group)}
          />
        ))}
      </RovingList>
    </section>
  );
}

interface ZoneFindsProps {
  title: string;
  finds: readonly FindPoint[];
  /** Came here by the keyboard or the list: then the focus goes on here. */
  takesFocus: boolean;
  onBack(): void;
  onOpen(find: FindPoint): void;
}

const MOST_FINDS = 200;

export function ZoneFinds({ title, finds, takesFocus, onBack, onOpen }: ZoneFindsProps) {
  const t = useTexts("map");
  const language = useLanguage();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) headingRef.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <section aria-labelledby="map-list" className="grid min-h-0 content-start gap-2">
      <Button variant="link" size="inline" className="min-h-11 justify-self-start" onClick={onBack}>
        <ArrowLeft aria-hidden className="size-4" />
        {t("back")}
      </Button>
      <h2 ref={headingRef} id="map-list" tabIndex={-1} className="text-base outline-none">
        {title}
      </h2>
      <RovingList>
        {finds.slice(0, MOST_FINDS).map((find) => (
          <Row
            key={find.homeId}
            title={find.priceEur === null ? t("noPrice") : formatPrice(find.priceEur, language)}
            facts={[
              find.mark === null ? undefined : t(`states.${find.mark}`),
              find.isGone ? t("states.gone") : undefined,
              pointOf(find) ? undefined : t("noPoint"),
            ]}
            onPress={() => onOpen(find)}
          />
        ))}
      </RovingList>
    </section>
  );
}

/** One stop of the Tab key; arrows go from row to row. */
function RovingList({ children }: { children: ReactNode }) {
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const rows = [...event.currentTarget.querySelectorAll("button")];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const target = rows[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    for (const row of rows) row.tabIndex = row === target ? 0 : -1;
    target.focus();
  };
  const listRef = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const rows = [...(listRef.current?.querySelectorAll("button") ?? [])];
    if (rows.some((row) => row.tabIndex === 0)) return;
    const [first] = rows;
    if (first) first.tabIndex = 0;
  });
  return (
    <ul ref={listRef} onKeyDown={move} className="-mx-2 grid content-start overflow-y-auto p-1">
      {children}
    </ul>
  );
}

interface RowProps {
  title: string;
  facts: readonly (string | undefined)[];
  onLookAt?(): void;
  onPress(): void;
}

function Row({ title, facts, onLookAt, onPress }: RowProps) {
  return (
    <li>
      <button
        type="button"
        tabIndex={-1}
        onClick={onPress}
        onFocus={onLookAt}
        onMouseEnter={onLookAt}
        className="flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-xl px-2 py-1.5 text-left -outline-offset-2 hover:bg-ink/6"
      >
        <span className="grid min-w-0 grow">
          <span className="figures leading-snug font-semibold wrap-anywhere">{title}</span>
          <span className="figures text-sm text-muted">{facts.filter(Boolean).join(" · ")}</span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
    </li>
  );
}
