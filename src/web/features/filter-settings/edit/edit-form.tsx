import { type RefObject, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import { clockWords } from "#text/moments.ts";
import { Form } from "#web/components/form/form.tsx";
import { useFaults } from "#web/components/form/use-faults.ts";
import { Panel } from "#web/components/panel.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useMedia } from "#web/lib/browser/use-media.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ChatsPart, IdsField } from "../chats/chats-part.tsx";
import { LeaveGuard } from "../form/leave-guard.tsx";
import { useSearchForm } from "../form/search-form.ts";
import { ServiceFacts } from "../form/service-facts.tsx";
import { AlertMailsFold } from "../mail/alert-mails-fold.tsx";
import { type RulesForm, useRulesForm } from "../rules/use-rules-form.ts";
import { SearchSummary } from "../search/search-summary.tsx";
import { UrlField } from "../search/url-field.tsx";
import { SameSearchNotice } from "../searches/same-search-notice.tsx";
import { SearchCard } from "../searches/search-card.tsx";
import { useDelete } from "../searches/use-search-actions.ts";
import { DetailsPart } from "../watch/details-part.tsx";
import { QuietHoursForm } from "../watch/quiet-hours-form.tsx";
import { Fold, Folds } from "./folds.tsx";
import { SaveBar } from "./save-bar.tsx";

const RulesPart = lazyPart(async () => (await import("../rules/rules-part.tsx")).RulesPart, {
  namespaces: ["rules", "home"],
});
const SummarySwitch = lazyPart(async () => (await import("../watch/summary-switch.tsx")).SummarySwitch, {
  namespaces: ["rules"],
});

const FORM_PART_ID = "filter-form-part";
const RULES_FORM_ID = "rules-form";

interface EditFormProps {
  search: SavedSearch;
  onDeleted(): void;
}

/** The form of a saved search: all its parts on one page, with its card, under one Save. */
export function EditForm({ search, onDeleted }: EditFormProps) {
  const { userId, others, chats, isDirty, drop, ...parts } = useSearchForm();
  const rules = useRulesForm(userId, search);
  const watchQuery = useWatch(userId, search);
  const watch = watchQuery.data ?? (isMissing(watchQuery) ? null : undefined);
  const deletion = useDelete(userId, onDeleted);
  const [isAsked, setAsked] = useState<boolean>();
  const { hash } = useLocation();
  const [openFold, setOpenFold] = useState(hash.slice(1));
  // In a single column the rules follow below the form, which makes room for them.
  const isBeside = useMedia("(min-width: 64rem)");
  // Unsaved input stays in view.
  const isOpen = isDirty || (isAsked ?? (isBeside || openFold !== "rules"));
  const form = useRef<HTMLFormElement>(null);
  const urlInput = useRef<HTMLInputElement>(null);
  const openPart = (name: string) => {
    setOpenFold(name);
    if (name === "rules") setAsked(undefined);
  };
  const isUnsaved = isDirty || rules.isChanged;
  const saveAll = () => {
    if (isDirty) form.current?.requestSubmit();
    if (!rules.isChanged) return;
    // A fault in a closed part could not take the focus.
    if (rules.hasFault) flushSync(() => setOpenFold("rules"));
    submitForm(RULES_FORM_ID);
  };
  const discard = () => {
    rules.discard();
    parts.discard();
    setAsked(true);
    urlInput.current?.focus();
  };
  const leave = () => {
    rules.discard();
    drop();
  };
  return (
    <div className="min-w-0">
      <div className="grid gap-4 md:gap-6">
        <SearchCard
          userId={userId}
          search={search}
          watch={watch}
          chats={chats}
          others={others}
          isDeleting={deletion.isBusy}
          onDelete={() => deletion.run(search)}
          form={{ id: FORM_PART_ID, isOpen, onToggle: () => setAsked(!isOpen) }}
        />
        <div className="grid items-start gap-4 md:gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <div id={FORM_PART_ID} hidden={!isOpen} className="min-w-0">
            <FilterForm search={search} isUnsaved={isUnsaved} form={form} urlInput={urlInput} />
          </div>
          <OtherParts search={search} rules={rules} watch={watch} open={openFold} onOpen={openPart} />
        </div>
      </div>
      {isUnsaved && (
        <SaveBar
          onSave={saveAll}
          isBusy={parts.isBusy || rules.isBusy}
          failure={parts.failure}
          rulesFailure={rules.failure}
          onDiscard={discard}
        />
      )}
      <LeaveGuard isOn={isUnsaved} onLeave={leave} />
    </div>
  );
}

function submitForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}

interface OtherPartsProps {
  search: SavedSearch;
  rules: RulesForm;
  watch: Watch | null | undefined;
  open: string;
  onOpen(name: string): void;
}

function OtherParts({ search, watch, rules, open, onOpen }: OtherPartsProps) {
  const t = useTexts("filter");
  const { userId } = useSearchForm();
  const chats = useRef<HTMLDivElement>(null);
  // Once opened, a form keeps what was typed into it.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (open !== "" && !opened.has(open)) setOpened(new Set([...opened, open]));
  const count = rules.lines.length;
  return (
    <Folds open={open} onOpen={onOpen}>
      <Fold name="chats" title={t("chats.list")}>
        <div ref={chats} tabIndex={-1} className="outline-none">
          <ChatsPart field={chats} />
        </div>
      </Fold>
      <Fold name="loud" title={t("folds.loud")} summary={<QuietHours search={search} />}>
        {opened.has("loud") && (
          <div className="grid gap-5 divide-y divide-line *:not-last:pb-5">
            <Suspense fallback={<Skeleton className="h-24 rounded-xl" />}>
              <SummarySwitch userId={userId} search={search} />
            </Suspense>
            <QuietHoursForm userId={userId} search={search} />
          </div>
        )}
      </Fold>
      <Fold
        name="rules"
        title={t("folds.rules")}
        summary={<Summary text={count === 0 ? t("folds.noRules") : t("folds.ruleCount", { count })} />}
      >
        {opened.has("rules") && (
          <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
            <RulesPart userId={userId} search={search} form={rules} formId={RULES_FORM_ID} />
          </Suspense>
        )}
      </Fold>
      <AlertMailsFold />
      <Fold name="details" title={t("folds.details")}>
        <DetailsPart watch={watch} />
      </Fold>
    </Folds>
  );
}

function Summary({ text }: { text: string }) {
  return <span className="figures text-sm font-medium text-muted">{text}</span>;
}

function QuietHours({ search: { quietFrom, quietUntil } }: { search: SavedSearch }) {
  const language = useLanguage();
  const isOn = quietFrom !== null && quietUntil !== null;
  return (
    <Summary text={isOn ? `${clockWords(quietFrom, language)}–${clockWords(quietUntil, language)}` : ""} />
  );
}

interface FilterFormProps {
  search: SavedSearch;
  /** Something on the page is: the Save is in a bar then. */
  isUnsaved: boolean;
  form: RefObject<HTMLFormElement | null>;
  urlInput: RefObject<HTMLInputElement | null>;
}

function FilterForm({ search, isUnsaved, form, urlInput }: FilterFormProps) {
  const t = useTexts("filter");
  const { values, set, faults, save, understanding } = useSearchForm();
  const checked = useFaults(faults, save);
  const isSaved =
    values.url === search.url || (understanding.state === "understood" && understanding.url === search.url);
  const replace = (url: string) => {
    set({ url });
    urlInput.current?.focus();
  };
  return (
    <Panel id="existing-filter" title={t("edit.title")} aside={<ConfigurationBadge />}>
      <Form form={checked} ref={form}>
        <UrlField
          inputRef={urlInput}
          value={values.url}
          fault={checked.faultOf("url")}
          onValueChange={(url) => set({ url })}
        />
        <SearchSummary understanding={understanding} isSaved={isSaved} onUrlChange={replace} />
        <SameSearchNotice />
        <IdsField fault={checked.faultOf("ids")} />
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

/** Says that the search is saved; its status is on the card above. */
function ConfigurationBadge() {
  const t = useTexts("filter");
  return (
    <p className="rounded-full border border-strong-line px-3 py-1 text-sm font-semibold text-muted">
      {t("edit.badge")}
    </p>
  );
}
