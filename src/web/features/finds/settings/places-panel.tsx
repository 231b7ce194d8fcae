import { MapPin } from "lucide-react";
import { useState } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { MOST_PLACES } from "#web/lib/backend/own-places.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Panel } from "../../../components/panel.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { PlaceForm } from "./place-form.tsx";
import { useDeletePlace } from "./use-place-actions.ts";

interface PlacesPanelProps {
  userId: string;
  places: readonly OwnPlace[];
}

/** Up to three places that distances are shown to. */
export function PlacesPanel({ userId, places }: PlacesPanelProps) {
  const t = useTexts("finds-settings");
  const [isAdding, setAdding] = useState(false);
  const add = useFocusOnClose(isAdding);
  const isFull = places.length >= MOST_PLACES;
  return (
    <Panel isSpacious id="places" title={t("places.title")} description={t("places.description")}>
      {places.length > 0 && (
        <ul className="grid gap-3">
          {places.map((place) => (
            <PlaceRow key={place.id} userId={userId} place={place} />
          ))}
        </ul>
      )}
      {isAdding && !isFull ? (
        <PlaceForm userId={userId} place={null} onDone={() => setAdding(false)} />
      ) : (
        !isFull && (
          <Button ref={add} variant="outline" className="justify-self-start" onClick={() => setAdding(true)}>
            <MapPin aria-hidden className="size-5" />
            {t("places.add")}
          </Button>
        )
      )}
      {isFull ? <p className="text-sm text-muted">{t("places.full")}</p> : <ByTelegram />}
    </Panel>
  );
}

function PlaceRow({ userId, place }: { userId: string; place: OwnPlace }) {
  const t = useTexts("finds-settings");
  const [isOpen, setOpen] = useState(false);
  const change = useFocusOnClose(isOpen);
  const { isBusy, run } = useDeletePlace(userId);
  const { name } = place;
  return (
    <li className="grid gap-4 rounded-2xl border border-line bg-background p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="flex min-w-0 items-center gap-2.5">
          <MapPin aria-hidden className="size-5 shrink-0 text-muted" />
          <bdi className="min-w-0 font-semibold wrap-anywhere">{name}</bdi>
        </p>
        {!isOpen && (
          <div className="flex flex-wrap gap-x-5">
            <Button
              ref={change}
              variant="link"
              size="line"
              aria-label={t("places.changeNamed", { name })}
              onClick={() => setOpen(true)}
            >
              {t("places.change")}
            </Button>
            <Button
              variant="dangerLink"
              size="line"
              aria-disabled={isBusy}
              aria-label={t("places.deleteNamed", { name })}
              onClick={() => run(place)}
            >
              {t("places.delete")}
            </Button>
          </div>
        )}
      </div>
      {isOpen && <PlaceForm userId={userId} place={place} onDone={() => setOpen(false)} />}
    </li>
  );
}

/** The other way to add a place: sending the current location to the bot. */
function ByTelegram() {
  const t = useTexts("finds-settings");
  const config = useConfig();
  if (!config?.botUsername) return null;
  return (
    <p className="text-sm leading-snug text-muted">{t("places.byTelegram", { bot: config.botUsername })}</p>
  );
}
