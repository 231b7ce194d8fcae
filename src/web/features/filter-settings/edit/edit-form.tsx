import { useRef } from "react";
import { FailureNotice } from "#web/components/failure-notice.tsx";
import { Panel } from "#web/components/panel.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
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
import { ConfigurationBadge } from "../watch/configuration-badge.tsx";
import { LatestAlerts } from "../watch/latest-alerts.tsx";
import { QuietHours } from "../watch/quiet-hours.tsx";
import { WatchPanel } from "../watch/watch-panel.tsx";
import { ElsewhereNotice } from "./elsewhere-notice.tsx";

interface EditFormProps extends FormParts {
  /** Whether the small form beside this one holds something unsaved. */
  onOpenFormChange(isOpen: boolean): void;
}

/** The saved filter: the state of its watch, and everything of it to change. */
export function EditForm({ onOpenFormChange, ...parts }: EditFormProps) {
  const { userId, search } = parts;
  const isPaused = search?.isPaused ?? false;
  const watch = useWatch(userId, search);
  return (
    <div className="grid gap-5 md:gap-6">
      <WatchPanel userId={userId} search={search} watch={watch} base={parts.state.base} />
      <div className="grid items-start gap-5 md:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-5 md:gap-6">
          <FilterForm {...parts} />
          <AlertMailsPart {...parts} isPaused={isPaused} />
        </div>
        <div className="grid gap-5 md:gap-6">
          <LatestAlerts watch={watch.data} />
          {search && <QuietHours userId={userId} search={search} onOpenChange={onOpenFormChange} />}
        </div>
      </div>
    </div>
  );
}

function FilterForm(parts: FormParts) {
  const t = useTexts("filter");
  const { state, dispatch, save, understanding, isDirty } = parts;
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const submit = () => {
    if (understanding.state !== "understood") return;
    save.run({
      filter: { url: understanding.url, ids: parseChatIds(state.ids).ids },
      base: saveBaseOf(state),
    });
  };
  const show = (action: FormAction) => {
    dispatch(action);
    input.current?.focus();
  };
  const { faultOf, onSubmit } = useFaults({ ...useFieldFaults(parts) }, submit);
  return (
    <Panel isSpacious id="existing-filter" title={t("edit.title")} aside={<ConfigurationBadge {...parts} />}>
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-6">
        <ElsewhereNotice
          {...parts}
          onKeep={() => form.current?.requestSubmit()}
          onTake={() => show({ type: "other-taken" })}
        />
        <UrlField
          inputRef={input}
          value={state.url}
          fault={faultOf("url")}
          onValueChange={(url) => dispatch({ type: "url-typed", url })}
        />
        <SearchSummary
          understanding={understanding}
          savedUrl={state.base?.url}
          onUrlChange={(url) => show({ type: "url-typed", url })}
        />
        <SameSearchNotice {...parts} />
        <ChatsPart {...parts} fault={faultOf("ids")} />
        <ServiceFacts />
        {save.failure !== null && (
          <FailureNotice message={t("messages.errorSave")}>
            <p>{save.failure}</p>
          </FailureNotice>
        )}
        <div className="flex flex-col items-stretch gap-3 sm:flex-row sm:items-center">
          <SubmitButton
            variant={isDirty ? "lantern" : "solid"}
            size="lg"
            className="h-auto! min-h-13 py-2 whitespace-normal!"
            disabled={!isDirty}
            isBusy={save.isBusy}
            busyText={t("edit.saving")}
          >
            {t("edit.save")}
          </SubmitButton>
          {isDirty ? (
            <Button
              variant="ghost"
              size="lg"
              className="h-auto! min-h-13 py-2 whitespace-normal!"
              onClick={() => show({ type: "base-shown" })}
            >
              {t("edit.discard")}
            </Button>
          ) : (
            <p className="text-center text-sm text-muted">{t("edit.unchanged")}</p>
          )}
        </div>
      </form>
    </Panel>
  );
}
