/** The rules of a search, with what they would have done to the last 30 days. Nothing is saved until the person says so. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { pastEffect } from "#core/rules/past-homes.ts";
import {
  RULE_ACTS,
  RULE_KIND_NAMES,
  type Rule,
  type RuleKindName,
  ruleKindOf,
} from "#core/rules/rule-kinds.ts";
import { formatNumber } from "#text/labels.ts";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { LocalLink } from "#web/components/local-link.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import { useOwnPlaces } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { rulesText, type SavedSearch } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChangeSearch } from "../searches/queued-search.ts";
import { useShowSearch } from "../searches/use-search-actions.ts";
import { type DraftLine, draftOf, faultOf, rulesOf } from "./rule-draft.ts";
import { RuleLine } from "./rule-line.tsx";
import { SummarySwitch } from "./summary-switch.tsx";

interface RulesFormProps {
  userId: string;
  search: SavedSearch;
  onOpenChange(isOpen: boolean): void;
}

export function RulesForm(props: RulesFormProps) {
  const { userId, search } = props;
  const places = useOwnPlaces(userId).data;
  if (places === undefined) return null;
  return (
    <div className="grid gap-5">
      <SummarySwitch userId={userId} search={search} />
      {/* Rules or places that were changed elsewhere replace the form. */}
      <Form
        key={[rulesText(search.rules), ...places.map(({ id }) => id)].join(" ")}
        {...props}
        places={places}
      />
    </div>
  );
}

interface FormProps extends RulesFormProps {
  places: NonNullable<ReturnType<typeof useOwnPlaces>["data"]>;
}

function Form({ userId, search, places, onOpenChange }: FormProps) {
  const t = useTexts("rules");
  const [lines, setLines] = useState(() => draftOf(search.rules, places));
  const [isAsked, setAsked] = useState(false);
  const rules = rulesOf(lines);
  const hasFault = lines.some(faultOf);
  const unreadable = search.unreadableRules;
  const isChanged =
    hasFault || JSON.stringify(rules) !== JSON.stringify(rulesOf(draftOf(search.rules, places)));
  const canSave = isChanged || unreadable > 0;
  const { isBusy, failure, run } = useSaveRules(userId, search);
  useEffect(() => {
    onOpenChange(isChanged);
    return () => onOpenChange(false);
  }, [isChanged, onOpenChange]);
  const change = (line: DraftLine) => setLines(lines.map((one) => (one.key === line.key ? line : one)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!hasFault && canSave) run(rules);
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <p className="text-md text-muted">{t("description")}</p>
      {unreadable > 0 && (
        <p className="text-md font-medium text-tile">
          {t("unreadable", { count: unreadable })} {t("unreadableAdvice")}
        </p>
      )}
      {RULE_KIND_NAMES.map((group) => (
        <fieldset key={group} className="grid min-w-0 gap-3 border-t border-line pt-4">
          <legend className="float-left w-full pb-1 font-semibold">{t(`groups.${group}`)}</legend>
          {asksForPlaces(group) && places.length === 0 && <NoPlaces />}
          {lines
            .filter(({ subject }) => subject.on === group)
            .map((line) => (
              <RuleLine
                key={line.key}
                line={line}
                places={places}
                hasFault={isAsked && faultOf(line)}
                acts={RULE_ACTS}
                onChange={change}
              />
            ))}
        </fieldset>
      ))}
      <Effect userId={userId} search={search} rules={rules} places={places} />
      {canSave && <FormFailure failure={failure} />}
      {canSave && (
        <BusyButton type="submit" isBusy={isBusy} busyText={t("saving")}>
          {t("save")}
        </BusyButton>
      )}
    </form>
  );
}

function asksForPlaces(group: RuleKindName): boolean {
  return Object.values(ruleKindOf(group).fields).some(({ is }) => is === "place");
}

function NoPlaces() {
  const t = useTexts("rules");
  return (
    <p className="text-md text-muted">
      {t("noPlaces")}{" "}
      <LocalLink to="/finds?view=settings" className="font-semibold text-ink underline underline-offset-4">
        {t("placesAction")}
      </LocalLink>
    </p>
  );
}

/** Recalculated with every change, from facts that are read once. */
function Effect({
  userId,
  search,
  rules,
  places,
}: Pick<FormProps, "userId" | "search" | "places"> & { rules: readonly Rule[] }) {
  const t = useTexts("rules");
  const language = useLanguage();
  const past = useQuery({
    queryKey: queryKeys.pastHomes(userId, search.id),
    queryFn: () => fetchPastHomes(search.id),
    staleTime: 60_000,
    retry: 1,
  });
  if (past.data === undefined) {
    return past.isError ? <p className="text-muted">{t("effectUnknown")}</p> : null;
  }
  if (past.data.length === 0) return <p className="text-md text-muted">{t("effectNone")}</p>;
  const { homes, leftOut, silent } = pastEffect(rules, past.data, places);
  const number = (count: number) => formatNumber(count, language);
  return (
    <div className="grid gap-1.5 border-t border-line pt-4">
      <p role="status" className="figures font-semibold">
        {t("effect", { homes: number(homes), leftOut: number(leftOut), silent: number(silent) })}
      </p>
      <p>
        <LocalLink
          to={`/finds?search=${search.id}&state=left-out`}
          className="font-semibold underline underline-offset-4"
        >
          {t("seeLeftOut")}
        </LocalLink>
      </p>
    </div>
  );
}

async function fetchPastHomes(searchId: string) {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_past_homes", { search_id: searchId }).retry(false));
}

function useSaveRules(userId: string, search: SavedSearch) {
  const t = useTexts("rules");
  const showSearch = useShowSearch(userId);
  const change = useChangeSearch(userId, search);
  return useAction({
    run: (rules: readonly Rule[]) => change({ rules }),
    onSuccess: ({ saved }) => {
      showSearch(saved);
      return t("saved", { returnObjects: true });
    },
    failure: t("failure", { returnObjects: true }),
  });
}
