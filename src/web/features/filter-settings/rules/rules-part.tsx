/** The rules of a search: a list of what is set, with what it would have done to the last 30 days. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type PastHome, pastEffect } from "#core/rules/past-homes.ts";
import { subjectKey } from "#core/rules/rule.ts";
import { formatNumber } from "#text/labels.ts";
import { Form } from "#web/components/form/form.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Notice } from "#web/components/ui/notice.tsx";
import { TextLink } from "#web/components/ui/text-link.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { AddRule } from "./add-rule.tsx";
import { newLine, rulesOf } from "./rule-draft.ts";
import { RuleRow } from "./rule-row.tsx";
import type { RulesForm } from "./use-rules-form.ts";

interface RulesPartProps {
  userId: string;
  search: SavedSearch;
  form: RulesForm;
  formId: string;
}

export function RulesPart({ userId, search, form, formId }: RulesPartProps) {
  const t = useTexts("rules");
  const [added, setAdded] = useState<string>();
  const past = useQuery(pastHomesQuery(userId, search.id));
  const { lines, places, setLines } = form;
  const unreadable = search.storedRules.length - search.rules.length;
  return (
    <Form form={form} id={formId}>
      <p className="text-sm text-muted sm:text-md">{t("description")}</p>
      {unreadable > 0 && (
        <Notice tone="failure">
          <p>{t("unreadable", { count: unreadable })}</p>
          <Button variant="link" size="line" onClick={() => form.run(form.values)}>
            {t("removeUnreadable")}
          </Button>
        </Notice>
      )}
      {lines.length > 0 && (
        <ul className="divide-y divide-line">
          {lines.map((line) => (
            <RuleRow
              key={line.key}
              line={line}
              places={places}
              past={past.data}
              hasFault={form.faultOf(line.key) !== undefined}
              isNew={line.key === added}
              onChange={(next) => setLines(lines.map((one) => (one.key === next.key ? next : one)))}
              onRemove={() => setLines(lines.filter(({ key }) => key !== line.key))}
            />
          ))}
        </ul>
      )}
      <AddRule
        lines={lines}
        places={places}
        onAdd={(subject) => {
          setAdded(subjectKey(subject));
          setLines([...lines, newLine(subject)]);
        }}
      />
      <Effect search={search} form={form} past={past.data} isUnknown={isMissing(past)} />
    </Form>
  );
}

interface EffectProps extends Pick<RulesPartProps, "search" | "form"> {
  past: readonly PastHome[] | undefined;
  isUnknown: boolean;
}

/** Of all rules together, recalculated with every change from facts that are read once. */
function Effect({ search, form: { lines, places }, past, isUnknown }: EffectProps) {
  const t = useTexts("rules");
  const language = useLanguage();
  if (past === undefined) return isUnknown ? <p className="text-muted">{t("effectUnknown")}</p> : null;
  if (past.length === 0) return <p className="text-md text-muted">{t("effectNone")}</p>;
  const { homes, leftOut, silent } = pastEffect(rulesOf(lines, places), past, places);
  const number = (count: number) => formatNumber(count, language);
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <p role="status" className="figures text-md font-semibold empty:hidden">
        {lines.length > 0 &&
          t("effect", { homes: number(homes), leftOut: number(leftOut), silent: number(silent) })}
      </p>
      <p>
        <TextLink size="line" to={`/finds?search=${search.id}&state=left-out`}>
          {t("seeLeftOut")}
        </TextLink>
      </p>
    </div>
  );
}

function pastHomesQuery(userId: string, searchId: string) {
  return queryOptions({
    queryKey: queryKeys.pastHomes(userId, searchId),
    queryFn: () => fetchPastHomes(searchId),
    staleTime: 60_000,
  });
}

async function fetchPastHomes(searchId: string) {
  const supabase = await loadSupabase();
  return dataOf(await supabase.rpc("my_past_homes", { search_id: searchId }).retry(false));
}
