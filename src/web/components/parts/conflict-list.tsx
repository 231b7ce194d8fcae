import { useQueryClient } from "@tanstack/react-query";
import { isLanguage, LANGUAGE_TRAITS } from "#core/languages.ts";
import { readRules } from "#core/rules/rule.ts";
import { RULE_ACTS, type Rule } from "#core/rules/rule-kinds.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { formatList } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { useOwnPlaces } from "../../lib/backend/own-places.ts";
import { queryKeys } from "../../lib/backend/query-keys.ts";
import { useTexts, useWords } from "../../lib/i18n/use-texts.ts";
import type { FieldConflict, FieldValues } from "../../lib/offline/queue.ts";
import { enqueue } from "../../lib/offline/send-or-queue.ts";
import { Button } from "../ui/button.tsx";

interface ConflictListProps {
  userId: string;
  conflicts: readonly FieldConflict[];
}

export function ConflictList({ userId, conflicts }: ConflictListProps) {
  const t = useTexts("common");
  const queries = useQueryClient();
  const drop = (conflict: FieldConflict) =>
    queries.setQueryData<FieldConflict[]>(queryKeys.conflicts(userId), (known = []) =>
      known.filter((one) => one !== conflict),
    );
  const sendMine = (conflict: FieldConflict) => {
    const { kind, change, theirs } = conflict;
    const { fields } = change;
    drop(conflict);
    // Compared once more, and noted again if it cannot be saved.
    const before = { ...fields.before, ...theirs };
    void enqueue(queries, kind, { ...change, isLate: true, fields: { ...fields, before } });
  };
  return conflicts.map((conflict) => {
    const { theirs, refusal } = conflict;
    const { ofId, title, mine } = conflict.change.fields;
    return (
      <div
        key={`${conflict.kind} ${ofId} ${Object.keys(mine)}`}
        role="alert"
        className="grid gap-2 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-md leading-snug wrap-anywhere"
      >
        <p className="font-semibold">
          {t(theirs ? "conflict.title" : "conflict.refused", { what: title })}
          {refusal && <Reason refusal={refusal} />}
        </p>
        <p className="text-muted">
          {t("conflict.mine", { value: "" })}
          <Values userId={userId} names={Object.keys(mine)} values={mine} />
        </p>
        {theirs && (
          <p className="text-muted">
            {t("conflict.theirs", { value: "" })}
            <Values userId={userId} names={Object.keys(mine)} values={theirs} />
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => sendMine(conflict)}>
            {t(theirs ? "conflict.useMine" : "parts.retry")}
          </Button>
          <Button variant="ghost" onClick={() => drop(conflict)}>
            {t("conflict.useTheirs")}
          </Button>
        </div>
      </div>
    );
  });
}

const REASONS = {
  "too-many-chats": "tooMany",
  "no-chat-left": "noneLeft",
  "deleted-elsewhere": "deleted",
} as const;

function Reason({ refusal }: { refusal: string }) {
  const t = useTexts("filter");
  const reason = Object.entries(REASONS).find(([code]) => code === refusal)?.[1];
  return reason && <span className="block font-normal">{t(`elsewhere.${reason}`)}</span>;
}

interface ValuesProps {
  userId: string;
  names: readonly string[];
  values: FieldValues;
}

/** The values of a change as the page of the setting writes them. */
function Values({ userId, names, values }: ValuesProps) {
  const common = useTexts("common");
  const t = useTexts("filter");
  const search = useWords("search");
  const rules = useRulesInWords(userId);
  const inWords = (name: string, value: string): string => {
    switch (name) {
      case "rules":
        return rules(readRules(JSON.parse(value)).rules);
      case "filter_url": {
        const parsed = parseSearchUrl(value);
        return parsed.ok ? `${describeSearch(parsed.search, search).text} (${value})` : value;
      }
      case "receives":
        return t(`chats.receives.${value}` as "chats.receives.kept");
      case "language":
        return isLanguage(value) ? LANGUAGE_TRAITS[value].name : value;
      default:
        return value;
    }
  };
  const texts = names.flatMap((name) => {
    const value = values[name];
    return value ? inWords(name, value) : [];
  });
  return texts.length > 0 ? texts.join(" – ") : common("conflict.nothing");
}

/** The strictest first: "Leave out: auction and agency · Alert silently: no photo". */
function useRulesInWords(userId: string): (rules: readonly Rule[]) => string {
  const t = useTexts("rules");
  const words = { rules: useWords("rules"), home: useWords("home") };
  const { data: places = [] } = useOwnPlaces(userId);
  return (rules) => {
    if (rules.length === 0) return t("none");
    return RULE_ACTS.toReversed()
      .flatMap((act) => {
        const reasons = rules
          .filter((rule) => rule.act === act)
          .map((rule) => ruleReason(rule, words, places));
        return reasons.length === 0
          ? []
          : t("line", { act: t(`acts.${act}`), reason: formatList(reasons, words.rules.language) });
      })
      .join(" · ");
  };
}
