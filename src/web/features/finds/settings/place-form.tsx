import { Suspense, useState } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { oneLine } from "#text/one-line.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { LONGEST_PLACE_NAME } from "#web/lib/backend/own-places.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../../components/submit-button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { useSavePlace } from "./use-place-actions.ts";

/** The map and its shapes load when a place is set. */
const PickPlace = lazyPart(async () => (await import("../../../components/map/pick-place.tsx")).PickPlace, {
  namespaces: ["map"],
});

interface PlaceFormProps {
  userId: string;
  place: OwnPlace | null;
  onDone(): void;
}

export function PlaceForm({ userId, place, onDone }: PlaceFormProps) {
  const t = useTexts("finds-settings");
  const [typed, setTyped] = useState(place?.name ?? "");
  const [point, setPoint] = useState<Point | null>(
    place && { latitude: place.latitude, longitude: place.longitude },
  );
  // What the person has seen: another device may move the place meanwhile.
  const [seen] = useState(place);
  const { isBusy, failure, run } = useSavePlace(userId, seen, onDone);
  const name = oneLine(typed);
  const nameFault = name === "" ? t("places.nameMissing") : null;
  const faults = {
    name: [...name].length > LONGEST_PLACE_NAME ? t("places.nameTooLong") : nameFault,
    point: point === null ? t("places.pointMissing") : null,
  };
  const { faultOf, onSubmit } = useFaults(faults, () => point && run({ ...point, name }));
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      <TextField
        label={t("places.name")}
        hint={t("places.nameHint")}
        name="name"
        autoComplete="off"
        autoFocus
        required
        fault={faultOf("name")}
        value={typed}
        onValueChange={setTyped}
      />
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 text-[0.9375rem] font-semibold">{t("places.point")}</legend>
        <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
          <PickPlace value={point} onPick={({ latitude, longitude }) => setPoint({ latitude, longitude })} />
        </Suspense>
        {faultOf("point") !== undefined && (
          <p role="alert" className="text-sm font-medium text-tile">
            {faultOf("point")}
          </p>
        )}
      </fieldset>
      {failure !== null && (
        <p role="alert" className="font-medium text-tile">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton isBusy={isBusy} busyText={t("saving")}>
          {t("places.save")}
        </SubmitButton>
        <Button variant="ghost" onClick={onDone}>
          {t("places.cancel")}
        </Button>
      </div>
    </form>
  );
}
