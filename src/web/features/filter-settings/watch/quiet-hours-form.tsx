import { type FormEvent, useEffect } from "react";
import { clockWords } from "#text/moments.ts";
import { Checkbox } from "#web/components/checkbox.tsx";
import { FormFailure } from "#web/components/failure-notice.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { TextField } from "#web/components/text-field.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTouched } from "#web/lib/browser/use-touched.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/change-search.ts";
import { useShowSearch } from "../searches/use-search-actions.ts";
import { QuietZone } from "./quiet-zone.tsx";

const USUAL = { from: "23:00", until: "08:00" } as const;

interface Hours {
  from: string | null;
  until: string | null;
}

interface QuietHoursProps {
  userId: string;
  search: SavedSearch;
  onOpenChange(isOpen: boolean): void;
}

/** When alerts are held back. Off by default: good homes are gone by the morning. */
export function QuietHoursForm(props: QuietHoursProps) {
  const t = useTexts("filter");
  return (
    <div className="grid gap-4">
      <p className="text-[0.9375rem] text-muted">{t("quiet.description")}</p>
      <QuietForm {...props} />
    </div>
  );
}

function QuietForm({ userId, search, onOpenChange }: QuietHoursProps) {
  const t = useTexts("filter");
  const form = useTouched<Typed>(typedOf(search));
  const { isOn, from, until } = form.value;
  const change = (changed: Partial<Typed>) => form.change({ ...form.value, ...changed });
  const saved = hoursOf(form.before);
  const before = { ...search, quietFrom: saved.from, quietUntil: saved.until };
  const { isBusy, failure, run } = useSaveQuietHours(userId, before, form.release);
  const wanted = hoursOf(form.value);
  const isChanged = wanted.from !== saved.from || wanted.until !== saved.until;
  useEffect(() => {
    onOpenChange(isChanged);
    return () => onOpenChange(false);
  }, [isChanged, onOpenChange]);
  const fault = isOn ? faultOf(from, until) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === null && isChanged) run(wanted);
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Checkbox
        label={t("quiet.toggle")}
        isChecked={isOn}
        onCheckedChange={(isChecked) => change({ isOn: isChecked })}
      />
      {isOn && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            type="time"
            label={t("quiet.from")}
            value={from}
            onValueChange={(typed) => change({ from: typed })}
          />
          <TextField
            type="time"
            label={t("quiet.until")}
            value={until}
            fault={fault === null ? undefined : t(`quiet.${fault}`)}
            onValueChange={(typed) => change({ until: typed })}
          />
        </div>
      )}
      {isOn && <QuietZone userId={userId} filterUrl={search.filterUrl} />}
      {isChanged && <FormFailure failure={failure} />}
      {isChanged && (
        <SubmitButton
          className="h-auto! min-h-11 py-2 whitespace-normal!"
          isBusy={isBusy}
          busyText={t("quiet.saving")}
        >
          {t("quiet.save")}
        </SubmitButton>
      )}
    </form>
  );
}

function faultOf(from: string, until: string): "incomplete" | "same" | null {
  if (from === "" || until === "") return "incomplete";
  return from === until ? "same" : null;
}

interface Typed {
  isOn: boolean;
  from: string;
  until: string;
}

function typedOf({ quietFrom, quietUntil }: SavedSearch): Typed {
  return { isOn: quietFrom !== null, from: quietFrom ?? USUAL.from, until: quietUntil ?? USUAL.until };
}

function hoursOf({ isOn, from, until }: Typed): Hours {
  return isOn ? { from, until } : { from: null, until: null };
}

/** `search` has the hours that the person has changed. */
function useSaveQuietHours(userId: string, search: SavedSearch, onSaved: () => void) {
  const t = useTexts("filter");
  const language = useLanguage();
  const showSearch = useShowSearch(userId);
  const change = useChangeSearch(userId, search);
  return useAction({
    run: ({ from, until }: Hours) => change({ quietFrom: from, quietUntil: until }),
    onSuccess: (saved) => {
      onSaved();
      if (!saved) return undefined;
      showSearch(saved);
      const { quietFrom: from, quietUntil: until } = saved;
      if (from === null || until === null) return t("quiet.off", { returnObjects: true });
      const hours = { from: clockWords(from, language), until: clockWords(until, language) };
      return { title: t("quiet.saved.title"), description: t("quiet.saved.description", hours) };
    },
    failure: t("quiet.failure", { returnObjects: true }),
  });
}
