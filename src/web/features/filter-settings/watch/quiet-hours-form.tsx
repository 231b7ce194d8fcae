import { useEffect, useRef } from "react";
import { clockWords } from "#text/moments.ts";
import { Form } from "#web/components/form/form.tsx";
import { Switch } from "#web/components/form/switch.tsx";
import { TextField } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/change-search.ts";
import { QuietZone } from "./quiet-zone.tsx";

const USUAL = { from: "23:00", until: "08:00" } as const;

interface Hours {
  /** Empty while they are off. */
  from: string;
  until: string;
}

/**
 * When alerts are held back. Off by default: good homes are gone by the morning. The switch is saved at once, a time when its
 * field is left.
 */
export function QuietHoursForm({ userId, search }: { userId: string; search: SavedSearch }) {
  const t = useTexts("filter");
  const form = useQuietHours(userId, search);
  const { from, until } = form.values;
  const isOn = form.pendingInput ? form.pendingInput.from !== "" : search.quietFrom !== null;
  // Left while an earlier change was being saved: saved after it.
  const left = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.isBusy) return;
    if (form.isChanged && !form.failure) left.current?.requestSubmit();
    left.current = null;
  }, [form.isBusy, form.isChanged, form.failure]);
  return (
    <Form
      form={form}
      onBlur={({ currentTarget, target }) => {
        if (!target.matches("input[type=time]")) return;
        if (form.isBusy) left.current = currentTarget;
        else if (form.isChanged) currentTarget.requestSubmit();
      }}
    >
      <div className="grid gap-1.5">
        <Switch
          label={t("quiet.toggle")}
          isOn={isOn}
          onTurn={(isTurnedOn) => form.run(isTurnedOn ? USUAL : { from: "", until: "" })}
        />
        <p className="text-md text-muted">{t("quiet.description")}</p>
      </div>
      {isOn && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            type="time"
            label={t("quiet.from")}
            {...form.field("from")}
            value={from || (form.pendingInput?.from ?? "")}
          />
          <TextField
            type="time"
            label={t("quiet.until")}
            {...form.field("until")}
            value={until || (form.pendingInput?.until ?? "")}
          />
        </div>
      )}
      {isOn && <QuietZone userId={userId} filterUrl={search.url} />}
      <FormFailure failure={form.failure} />
    </Form>
  );
}

function useQuietHours(userId: string, search: SavedSearch) {
  const t = useTexts("filter");
  const language = useLanguage();
  const change = useChangeSearch(userId);
  return useForm<Hours, Awaited<ReturnType<typeof change>>>({
    saved: { from: search.quietFrom ?? "", until: search.quietUntil ?? "" },
    faultsOf: ({ from, until }) => ({
      from: from === "" && until !== "" ? t("quiet.incomplete") : null,
      until:
        until === "" && from !== ""
          ? t("quiet.incomplete")
          : from === until && from !== ""
            ? t("quiet.same")
            : null,
    }),
    run: (hours, before) => change(search, fieldsOf(hours), fieldsOf(before)),
    onSuccess: (saved) => {
      if (!saved) return undefined;
      const { quietFrom: from, quietUntil: until } = saved;
      if (from === null || until === null) return t("quiet.off", { returnObjects: true });
      const hours = { from: clockWords(from, language), until: clockWords(until, language) };
      return { title: t("quiet.saved.title"), description: t("quiet.saved.description", hours) };
    },
    failure: t("quiet.failure", { returnObjects: true }),
  });
}

function fieldsOf({ from, until }: Hours) {
  return { quietFrom: from || null, quietUntil: until || null };
}
