import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { FindPoint } from "#core/finds/find.ts";
import { pointOf } from "#core/map/sheets.ts";
import { formatPrice } from "#text/labels.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ListRow, RovingList } from "./roving-list.tsx";

interface ZoneFindsProps {
  title: string;
  finds: readonly FindPoint[];
  /** Came here by the keyboard or the list: then the focus goes on here. */
  takesFocus: boolean;
  onBack(): void;
  onOpen(find: FindPoint): void;
}

const PAGE = 200;

export function ZoneFinds({ title, finds, takesFocus, onBack, onOpen }: ZoneFindsProps) {
  const t = useTexts("map");
  const language = useLanguage();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState(PAGE);
  useEffect(() => {
    if (takesFocus) headingRef.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <section aria-labelledby="map-list" className="grid min-h-0 content-start gap-2 overflow-y-auto">
      <Button variant="link" size="line" onClick={onBack}>
        <ArrowLeft aria-hidden className="size-4" />
        {t("back")}
      </Button>
      <h2 ref={headingRef} id="map-list" tabIndex={-1} className="text-base outline-none">
        {title}
      </h2>
      <RovingList>
        {finds.slice(0, shown).map((find) => (
          <ListRow
            key={find.listingId}
            title={find.priceEur === null ? t("noPrice") : formatPrice(find.priceEur, language)}
            facts={[
              find.mark === null ? undefined : t(`states.${find.mark}`),
              find.isGone ? t("states.gone") : undefined,
              positionOf(find),
            ]}
            onPress={() => onOpen(find)}
          />
        ))}
      </RovingList>
      {finds.length > shown && (
        <Button variant="outline" className="justify-self-start" onClick={() => setShown(shown + PAGE)}>
          {t("more", { count: Math.min(PAGE, finds.length - shown) })}
        </Button>
      )}
    </section>
  );

  function positionOf(find: FindPoint): string | undefined {
    if (!pointOf(find)) return t("noPoint");
    return find.isAddressShown ? undefined : t("approximate");
  }
}
