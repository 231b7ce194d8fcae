import { type FormEvent, useEffect, useState } from "react";
import { clockWords } from "#text/moments.ts";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Checkbox } from "#web/components/form/checkbox.tsx";
import { TextField } from "#web/components/form/text-field.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/queued-search.ts";
import { useShowSearch } from "../searches/use-search-actions.ts";

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
export function QuietHoursForm({ search, ...props }: QuietHoursProps) {
  const t = useTexts("filter");
  const { quietFrom, quietUntil } = search;
  return (
    <div className="grid gap-4">
      <p className="text-md text-muted">{t("quiet.description")}</p>
      <QuietForm key={`${quietFrom} ${quietUntil}`} search={search} {...props} />
    </div>
  );
}

function QuietForm({ userId, search, onOpenChange }: QuietHoursProps) {
  const t = useTexts("filter");
  const saved: Hours = { from: search.quietFrom, until: search.quietUntil };
  const [isOn, setOn] = useState(saved.from !== null);
  const [from, setFrom] = useState<string>(saved.from ?? USUAL.from);
  const [until, setUntil] = useState<string>(saved.until ?? USUAL.until);
  const { isBusy, failure, run } = useSaveQuietHours(userId, search);
  const wanted: Hours = isOn ? { from, until } : { from: null, until: null };
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
      <Checkbox label={t("quiet.toggle")} isChecked={isOn} onCheckedChange={setOn} />
      {isOn && (
        <div className="grid grid-cols-2 gap-3">
          <TextField type="time" label={t("quiet.from")} value={from} onValueChange={setFrom} />
          <TextField
            type="time"
            label={t("quiet.until")}
            value={until}
            fault={fault === null ? undefined : t(`quiet.${fault}`)}
            onValueChange={setUntil}
          />
        </div>
      )}
      {isChanged && <FormFailure failure={failure} />}
      {isChanged && (
        <BusyButton type="submit" isBusy={isBusy} busyText={t("quiet.saving")}>
          {t("quiet.save")}
        </BusyButton>
      )}
    </form>
  );
}

function faultOf(from: string, until: string): "incomplete" | "same" | null {
  if (from === "" || until === "") return "incomplete";
  return from === until ? "same" : null;
}

function useSaveQuietHours(userId: string, search: SavedSearch) {
  const t = useTexts("filter");
  const language = useLanguage();
  const showSearch = useShowSearch(userId);
  const change = useChangeSearch(userId, search);
  return useAction({
    run: ({ from, until }: Hours) => change({ quiet_from: from, quiet_until: until }),
    onSuccess: ({ saved }) => {
      showSearch(saved);
      const { quietFrom: from, quietUntil: until } = saved;
      if (from === null || until === null) return t("quiet.off", { returnObjects: true });
      const hours = { from: clockWords(from, language), until: clockWords(until, language) };
      return { title: t("quiet.saved.title"), description: t("quiet.saved.description", hours) };
    },
    failure: t("quiet.failure", { returnObjects: true }),
  });
}
