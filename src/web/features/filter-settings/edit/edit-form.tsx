import { type RefObject, useRef } from "react";
import { healthOf } from "#core/health/health-of.ts";
import { HealthLine } from "#web/components/health-line.tsx";
import { Panel } from "#web/components/panel.tsx";
import { Button } from "#web/components/ui/button.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useFaults } from "#web/lib/browser/use-faults.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { parseChatIds } from "../chats/chat-ids.ts";
import { ChatsPart } from "../chats/chats-part.tsx";
import type { FormParts } from "../form/form-parts.ts";
import { useFieldFaults } from "../form/form-parts.ts";
import { type FormAction, saveBaseOf } from "../form/form-state.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { AlertMailsPart } from "../mail/alert-mails-part.tsx";
import { SearchSummary } from "../search/search-summary.tsx";
import { UrlField } from "../search/url-field.tsx";
import { SameSearchNotice } from "../searches/same-search-notice.tsx";
import { LatestAlerts } from "../watch/latest-alerts.tsx";
import { QuietHoursForm } from "../watch/quiet-hours-form.tsx";
import { WatchPanel } from "../watch/watch-panel.tsx";
import { ElsewhereNotice } from "./elsewhere-notice.tsx";
import { SaveBar } from "./save-bar.tsx";

interface EditFormProps extends FormParts {
  /** Whether the rename or quiet-hours form next to this one has unsaved input. */
  onOpenFormChange(isOpen: boolean): void;
}

export function EditForm({ onOpenFormChange, ...parts }: EditFormProps) {
  const { userId, search } = parts;
  const isPaused = search?.isPaused ?? false;
  const watch = useWatch(userId, search);
  const form = useRef<HTMLFormElement>(null);
  const urlInput = useRef<HTMLInputElement>(null);
  const show = (action: FormAction) => {
    parts.dispatch(action);
    urlInput.current?.focus();
  };
  return (
    <div className="min-w-0">
      <div className="grid gap-5 md:gap-6">
        <WatchPanel userId={userId} search={search} watch={watch} base={parts.state.base} />
        <LatestAlerts watch={watch.data} />
        <div className="grid items-start gap-5 md:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="grid min-w-0 gap-5 md:gap-6">
            <FilterForm {...parts} form={form} urlInput={urlInput} onShow={show} />
            <AlertMailsPart {...parts} isPaused={isPaused} />
          </div>
          {search && <QuietHoursForm userId={userId} search={search} onOpenChange={onOpenFormChange} />}
        </div>
      </div>
      {parts.isDirty && (
        <SaveBar formId={FORM_ID} save={parts.save} onDiscard={() => show({ type: "base-shown" })} />
      )}
    </div>
  );
}

const FORM_ID = "filter-form";

interface FilterFormProps extends FormParts {
  form: RefObject<HTMLFormElement | null>;
  urlInput: RefObject<HTMLInputElement | null>;
  /** Changes the fields and focuses the first one. */
  onShow(action: FormAction): void;
}

function FilterForm({ form, urlInput, onShow, ...parts }: FilterFormProps) {
  const t = useTexts("filter");
  const { state, dispatch, save, understanding, isDirty } = parts;
  const submit = () => {
    if (understanding.state !== "understood") return;
    save.run({
      filter: { url: understanding.url, ids: parseChatIds(state.ids).ids },
      base: saveBaseOf(state),
    });
  };
  const { faultOf, onSubmit } = useFaults({ ...useFieldFaults(parts) }, submit);
  return (
    <Panel isSpacious id="existing-filter" title={t("edit.title")} aside={<ConfigurationBadge {...parts} />}>
      <form ref={form} id={FORM_ID} noValidate onSubmit={onSubmit} className="grid gap-6">
        <ElsewhereNotice
          {...parts}
          onKeep={() => form.current?.requestSubmit()}
          onTake={() => onShow({ type: "other-taken" })}
        />
        <UrlField
          inputRef={urlInput}
          value={state.url}
          fault={faultOf("url")}
          onValueChange={(url) => dispatch({ type: "url-typed", url })}
        />
        <SearchSummary
          understanding={understanding}
          savedUrl={state.base?.url}
          onUrlChange={(url) => onShow({ type: "url-typed", url })}
        />
        <SameSearchNotice {...parts} />
        <ChatsPart {...parts} fault={faultOf("ids")} />
        <ServiceFacts />
        {!isDirty && (
          <div className="flex flex-col items-stretch gap-3 sm:flex-row sm:items-center">
            <Button
              type="submit"
              variant="solid"
              size="lg"
              className="h-auto! min-h-13 py-2 whitespace-normal!"
              disabled
            >
              {t("edit.save")}
            </Button>
            <p className="text-center text-sm text-muted">{t("edit.unchanged")}</p>
          </div>
        )}
      </form>
    </Panel>
  );
}

interface ConfigurationBadgeProps {
  userId: string;
  search: SavedSearch | null;
}

/** Says that the search is saved; its status is shown next to it. */
function ConfigurationBadge({ userId, search }: ConfigurationBadgeProps) {
  const t = useTexts("filter");
  const { data: watch } = useWatch(userId, search);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {watch && search && <HealthLine health={healthOf({ ...watch, is_paused: search.isPaused })} />}
      <p className="rounded-full border border-strong-line px-3 py-1 text-sm font-semibold text-muted">
        {t("edit.badge")}
      </p>
    </div>
  );
}
