import { type RefObject, Suspense, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Language } from "#core/languages.ts";
import { clockWords } from "#text/moments.ts";
import { useFaults } from "#web/components/form/use-faults.ts";
import { Panel } from "#web/components/panel.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ChatsPart, IdsField } from "../chats/chats-part.tsx";
import type { FormParts } from "../form/form-parts.ts";
import { saveTyped, useFieldFaults } from "../form/form-parts.ts";
import type { FormAction } from "../form/form-state.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { AlertMailsFold } from "../mail/alert-mails-fold.tsx";
import { SearchSummary } from "../search/search-summary.tsx";
import { UrlField } from "../search/url-field.tsx";
import { SameSearchNotice } from "../searches/same-search-notice.tsx";
import { DetailsPart } from "../watch/details-part.tsx";
import { QuietHoursForm } from "../watch/quiet-hours-form.tsx";
import { ElsewhereNotice } from "./elsewhere-notice.tsx";
import { Fold, Folds } from "./folds.tsx";
import { OwnCard } from "./own-card.tsx";
import { SaveBar } from "./save-bar.tsx";

const RulesForm = lazyPart(async () => (await import("../rules/rules-form.tsx")).RulesForm, {
  namespaces: ["rules", "home"],
});

interface EditFormProps extends FormParts {
  /** Whether a form next to this one has unsaved input. */
  onOpenFormChange(isOpen: boolean): void;
}

export function EditForm({ onOpenFormChange, ...parts }: EditFormProps) {
  const { userId, search, state } = parts;
  const { data, isError } = useWatch(userId, search);
  const watch = data ?? (isError ? null : undefined);
  const [isAsked, setAsked] = useState(true);
  // Unsaved input stays in view.
  const isOpen = isAsked || parts.isDirty;
  const form = useRef<HTMLFormElement>(null);
  const urlInput = useRef<HTMLInputElement>(null);
  const show = (action: FormAction) => {
    parts.dispatch(action);
    urlInput.current?.focus();
  };
  return (
    <div className="min-w-0">
      <div className="grid gap-4 md:gap-6">
        <OwnCard
          userId={userId}
          search={search}
          saved={state.base}
          watch={watch}
          chats={parts.chats}
          formId={FORM_PART_ID}
          isFormOpen={isOpen}
          onFormToggle={() => setAsked(!isOpen)}
        />
        <div className="grid items-start gap-4 md:gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <div id={FORM_PART_ID} hidden={!isOpen} className="min-w-0">
            <FilterForm {...parts} form={form} urlInput={urlInput} onShow={show} />
          </div>
          <OtherParts {...parts} watch={watch} onOpenFormChange={onOpenFormChange} />
        </div>
      </div>
      {isOpen && (
        <SaveBar
          formId={FORM_ID}
          isDirty={parts.isDirty}
          save={parts.save}
          onDiscard={() => show({ type: "base-shown" })}
        />
      )}
    </div>
  );
}

const FORM_ID = "filter-form";
const FORM_PART_ID = "filter-form-part";

function OtherParts({
  watch,
  onOpenFormChange,
  ...parts
}: EditFormProps & { watch: Parameters<typeof DetailsPart>[0]["watch"] }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const { userId, search, state } = parts;
  const chats = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  // Once opened, a form keeps what was typed into it.
  const [hasRules, setHasRules] = useState(hash === "#rules");
  return (
    <Folds first={hash.slice(1)} onOpen={(name) => setHasRules(hasRules || name === "rules")}>
      <Fold name="chats" title={t("chats.list")}>
        <div ref={chats} tabIndex={-1} className="outline-none">
          <ChatsPart {...parts} field={chats} />
        </div>
      </Fold>
      {search && (
        <Fold
          name="quiet-hours"
          title={t("quiet.title")}
          summary={<Summary text={quietText(search, language) ?? t("folds.off")} />}
        >
          <QuietHoursForm userId={userId} search={search} onOpenChange={onOpenFormChange} />
        </Fold>
      )}
      {search && (
        <Fold
          name="rules"
          title={t("folds.rules")}
          summary={
            <Summary
              text={
                ruleCountOf(search) === 0
                  ? t("folds.noRules")
                  : t("folds.ruleCount", { count: ruleCountOf(search) })
              }
            />
          }
        >
          {hasRules && (
            <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
              <RulesForm userId={userId} search={search} onOpenChange={onOpenFormChange} />
            </Suspense>
          )}
        </Fold>
      )}
      <AlertMailsFold {...parts} />
      <Fold name="details" title={t("folds.details")}>
        <DetailsPart userId={userId} search={search} url={state.base?.url ?? ""} watch={watch} />
      </Fold>
    </Folds>
  );
}

/** Of the rules that change something. */
function ruleCountOf({ rules }: NonNullable<FormParts["search"]>): number {
  return rules.filter(({ act }) => act !== "alert").length;
}

function Summary({ text }: { text: string }) {
  return <span className="figures text-sm font-medium text-muted">{text}</span>;
}

function quietText(
  { quietFrom, quietUntil }: NonNullable<FormParts["search"]>,
  language: Language,
): string | undefined {
  if (quietFrom === null || quietUntil === null) return undefined;
  return `${clockWords(quietFrom, language)}–${clockWords(quietUntil, language)}`;
}

interface FilterFormProps extends FormParts {
  form: RefObject<HTMLFormElement | null>;
  urlInput: RefObject<HTMLInputElement | null>;
  /** Changes the fields and focuses the first one. */
  onShow(action: FormAction): void;
}

function FilterForm({ form, urlInput, onShow, ...parts }: FilterFormProps) {
  const t = useTexts("filter");
  const { state, dispatch, understanding, isDirty } = parts;
  const { faultOf, onSubmit } = useFaults({ ...useFieldFaults(parts) }, () => saveTyped(parts));
  return (
    <Panel id="existing-filter" title={t("edit.title")} aside={<ConfigurationBadge />}>
      <form ref={form} id={FORM_ID} noValidate onSubmit={onSubmit} className="grid gap-4 sm:gap-5">
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
          isSaved={isSavedUrl(state, understanding)}
          onUrlChange={(url) => onShow({ type: "url-typed", url })}
        />
        <SameSearchNotice {...parts} />
        <IdsField state={state} dispatch={dispatch} fault={faultOf("ids")} />
        <ServiceFacts isCompact />
        {!isDirty && (
          <div className="flex items-center gap-3 max-sm:hidden sideways:hidden">
            <Button type="submit" variant="solid" size="lg" disabled>
              {t("edit.save")}
            </Button>
            <p className="text-sm text-muted">{t("edit.unchanged")}</p>
          </div>
        )}
      </form>
    </Panel>
  );
}

function isSavedUrl({ url, base }: FormParts["state"], understanding: FormParts["understanding"]): boolean {
  return url === base?.url || (understanding.state === "understood" && understanding.url === base?.url);
}

/** Says that the search is saved; its status is on the card above. */
function ConfigurationBadge() {
  const t = useTexts("filter");
  return (
    <p className="rounded-full border border-strong-line px-3 py-1 text-sm font-semibold text-muted">
      {t("edit.badge")}
    </p>
  );
}
