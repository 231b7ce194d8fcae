import { Suspense } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { oneLine } from "#text/one-line.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { LONGEST_PLACE_NAME } from "#web/lib/backend/own-places.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Form, FormFooter } from "../../../components/form/form.tsx";
import { TextField } from "../../../components/form/text-field.tsx";
import { useForm } from "../../../components/form/use-form.ts";
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
  const point: Point | null = place && { latitude: place.latitude, longitude: place.longitude };
  const form = useForm({
    saved: { name: place?.name ?? "", point },
    keepAs: `place ${place?.id ?? "new"}`,
    faultsOf: (typed) => {
      const name = oneLine(typed.name);
      const nameFault = name === "" ? t("places.nameMissing") : null;
      return {
        name: [...name].length > LONGEST_PLACE_NAME ? t("places.nameTooLong") : nameFault,
        point: typed.point === null ? t("places.pointMissing") : null,
      };
    },
    ...useSavePlace(userId, place, onDone),
  });
  return (
    <Form form={form}>
      <TextField
        {...form.field("name")}
        label={t("places.name")}
        hint={t("places.nameHint")}
        autoComplete="off"
        autoFocus
        required
      />
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 text-md font-semibold">{t("places.point")}</legend>
        <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
          <PickPlace
            value={form.values.point}
            onPick={({ latitude, longitude }) => form.set({ point: { latitude, longitude } })}
          />
        </Suspense>
        {form.faultOf("point") !== undefined && (
          <p role="alert" className="text-sm font-medium text-tile">
            {form.faultOf("point")}
          </p>
        )}
      </fieldset>
      <FormFooter
        form={form}
        submit={t("places.save")}
        busyText={t("saving")}
        cancel={{ text: t("places.cancel"), onCancel: onDone }}
      />
    </Form>
  );
}
