import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { ListRow, RovingList } from "./roving-list.tsx";
import type { PlacedGroup } from "./use-sheets.ts";

interface PlaceListProps {
  /** In the part of the map that is seen. */
  inView: readonly PlacedGroup[];
  outside: readonly PlacedGroup[];
  /** What was seen in a zone, where prices are shown. */
  factOf(placeId: string | null): string | undefined;
  onLookAt(group: PlacedGroup): void;
  onOpen(group: PlacedGroup): void;
}

/** Everything that is on the map, for people who cannot see it or do not use a pointer. */
export function PlaceList({ inView, outside, ...props }: PlaceListProps) {
  const t = useTexts("map");
  return (
    <section aria-labelledby="map-list" className="grid min-h-0 content-start gap-2 overflow-y-auto">
      <h2 id="map-list" className="text-base">
        {t("zones")}
      </h2>
      <Groups groups={inView} {...props} />
      {outside.length > 0 && (
        <>
          <h3 className="mt-2 text-sm text-muted">{t("outside")}</h3>
          <Groups groups={outside} {...props} />
        </>
      )}
    </section>
  );
}

function Groups({
  groups,
  factOf,
  onLookAt,
  onOpen,
}: Omit<PlaceListProps, "inView" | "outside"> & { groups: readonly PlacedGroup[] }) {
  const t = useTexts("map");
  if (groups.length === 0) return null;
  return (
    <RovingList>
      {groups.map((group) => (
        <ListRow
          key={group.placeId}
          title={group.name || t("unknownZone")}
          facts={[t("count", { count: group.finds.length }), factOf(group.placeId)]}
          onLookAt={() => onLookAt(group)}
          onPress={() => onOpen(group)}
        />
      ))}
    </RovingList>
  );
}
