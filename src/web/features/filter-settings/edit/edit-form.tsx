import { type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { Language } from "#core/languages.ts";
import { clockWords } from "#text/moments.ts";
import { Form } from "#web/components/form/form.tsx";
import { useFaults } from "#web/components/form/use-faults.ts";
import { Panel } from "#web/components/panel.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useMedia } from "#web/lib/browser/use-media.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ChatsPart, IdsField } from "../chats/chats-part.tsx";
import type { FormParts } from "../form/form-parts.ts";
import { saveTyped, useFieldFaults } from "../form/form-parts.ts";
import type { FormAction } from "../form/form-state.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { AlertMailsFold } from "../mail/alert-mails-fold.tsx";
import { type RulesForm, useRulesForm } from "../rules/use-rules-form.ts";
import { SearchSummary } from "../search/search-summary.tsx";
import { UrlField } from "../search/url-field.tsx";
import { SameSearchNotice } from "../searches/same-search-notice.tsx";
import { DetailsPart } from "../watch/details-part.tsx";
import { QuietHoursForm } from "../watch/quiet-hours-form.tsx";
import { ElsewhereNotice } from "./elsewhere-notice.tsx";
import { Fold, Folds } from "./folds.tsx";
import { OwnCard } from "./own-card.tsx";
import { SaveBar } from "./save-bar.tsx";

const RulesPart = lazyPart(async () => (await import("../rules/rules-part.tsx")).RulesPart, {
  namespaces: ["rules", "home"],
});
const SummarySwitch = lazyPart(async () => (await import("../watch/summary-switch.tsx")).SummarySwitch, {
  namespaces: ["rules"],
});

interface EditFormProps extends FormParts {
  /** Whether a form next to this one has unsaved input. */
  onOpenFormChange(isOpen: boolean): void;
}

export function EditForm({ onOpenFormChange, ...parts }: EditFormProps) {
  const { search } = parts;
  return search ? (
    <EditSearch {...parts} search={search} onOpenFormChange={onOpenFormChange} />
  ) : (
    <EditPage {...parts} rules={null} />
  );
}

function EditSearch({
  search,
  onOpenFormChange,
  ...parts
}: EditFormProps & { search: NonNullable<FormParts["search"]> }) {
  const rules = useRulesForm(parts.userId, search);
  const { isChanged } = rules;
  useEffect(() => {
    onOpenFormChange(isChanged);
    return () => onOpenFormChange(false);
  }, [isChanged, onOpenFormChange]);
  return <EditPage {...parts} search={search} rules={rules} />;
}

interface EditPageProps extends FormParts {
  /** Null while the search is not saved. */
  rules: RulesForm | null;
}

/** The search with everything that belongs to it, under one Save. */
function EditPage({ rules, ...parts }: EditPageProps) {
  const { userId, search, state, isDirty, save } = parts;
  const watchQuery = useWatch(userId, search);
  const watch = watchQuery.data ?? (isMissing(watchQuery) ? null : undefined);
  const [isAsked, setAsked] = useState<boolean>();
  const { hash } = useLocation();
  const [openFold, setOpenFold] = useState(hash.slice(1));
  // In a single column the rules follow below the form, which makes room for them.
  const isBeside = useMedia("(min-width: 64rem)");
  // Unsaved input stays in view.
  const isOpen = isDirty || (isAsked ?? (isBeside || openFold !== "rules"));
  const form = useRef<HTMLFormElement>(null);
  const urlInput = useRef<HTMLInputElement>(null);
  const show = (action: FormAction) => {
    setAsked(true);
    parts.dispatch(action);
    urlInput.current?.focus();
  };
  const openPart = (name: string) => {
    setOpenFold(name);
    if (name === "rules") setAsked(undefined);
  };
  const areRulesChanged = rules?.isChanged ?? false;
  const isUnsaved = isDirty || areRulesChanged;
  const saveAll = () => {
    if (isDirty) form.current?.requestSubmit();
    if (!areRulesChanged) return;
    // A fault in a closed part could not take the focus.
    if (rules?.hasFault) flushSync(() => setOpenFold("rules"));
    submitForm(RULES_FORM_ID);
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
            <FilterForm {...parts} isUnsaved={isUnsaved} form={form} urlInput={urlInput} onShow={show} />
          </div>
          <OtherParts {...parts} rules={rules} watch={watch} open={openFold} onOpen={openPart} />
        </div>
      </div>
      {isUnsaved && (
        <SaveBar
          onSave={saveAll}
          isBusy={save.isBusy || (rules?.isBusy ?? false)}
          failure={save.failure}
          rulesFailure={rules?.failure ?? null}
          onDiscard={() => {
            rules?.discard();
            if (isDirty) show({ type: "base-shown" });
          }}
        />
      )}
    </div>
  );
}

const FORM_ID = "filter-form";
const FORM_PART_ID = "filter-form-part";
const RULES_FORM_ID = "rules-form";

function submitForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}

interface OtherPartsProps extends EditPageProps {
  watch: Parameters<typeof DetailsPart>[0]["watch"];
  open: string;
  onOpen(name: string): void;
}

function OtherParts({ watch, rules, open, onOpen, ...parts }: OtherPartsProps) {
  const t = useTexts("filter");
  const language = useLanguage();
  const { userId, search, state } = parts;
  const chats = useRef<HTMLDivElement>(null);
  // Once opened, a form keeps what was typed into it.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (open !== "" && !opened.has(open)) setOpened(new Set([...opened, open]));
  return (
    <Folds open={open} onOpen={onOpen}>
      <Fold name="chats" title={t("chats.list")}>
        <div ref={chats} tabIndex={-1} className="outline-none">
          <ChatsPart {...parts} field={chats} />
        </div>
      </Fold>
      {search && (
        <Fold
          name="loud"
          title={t("folds.loud")}
          summary={<Summary text={quietText(search, language) ?? ""} />}
        >
          {opened.has("loud") && (
            <div className="grid gap-5 divide-y divide-line *:not-last:pb-5">
              <Suspense fallback={<Skeleton className="h-24 rounded-xl" />}>
                <SummarySwitch userId={userId} search={search} />
              </Suspense>
              <QuietHoursForm userId={userId} search={search} />
            </div>
          )}
        </Fold>
      )}
      {search && rules && (
        <Fold
          name="rules"
          title={t("folds.rules")}
          summary={
            <Summary
              text={
                rules.lines.length === 0
                  ? t("folds.noRules")
                  : t("folds.ruleCount", { count: rules.lines.length })
              }
            />
          }
        >
          {opened.has("rules") && (
            <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
              <RulesPart userId={userId} search={search} form={rules} formId={RULES_FORM_ID} />
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
  /** Something on the page is: the Save is in a bar then. */
  isUnsaved: boolean;
  form: RefObject<HTMLFormElement | null>;
  urlInput: RefObject<HTMLInputElement | null>;
  /** Changes the fields and focuses the first one. */
  onShow(action: FormAction): void;
}

function FilterForm({ isUnsaved, form, urlInput, onShow, ...parts }: FilterFormProps) {
  const t = useTexts("filter");
  const { state, dispatch, understanding } = parts;
  const { faultOf, onSubmit } = useFaults({ ...useFieldFaults(parts) }, () => saveTyped(parts));
  return (
    <Panel id="existing-filter" title={t("edit.title")} aside={<ConfigurationBadge />}>
      <Form form={{ onSubmit }} ref={form} id={FORM_ID}>
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
        {!isUnsaved && (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" disabled>
              {t("edit.save")}
            </Button>
            <p className="text-sm text-muted">{t("edit.unchanged")}</p>
          </div>
        )}
      </Form>
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
