import { useQueryClient } from "@tanstack/react-query";
import { timeZoneOr } from "#core/geo/time-zone.ts";
import { isLanguage, LANGUAGE_TRAITS } from "#core/languages.ts";
import { readRules } from "#core/rules/rule.ts";
import { RULE_ACTS, type Rule } from "#core/rules/rule-kinds.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { WarningKind } from "#core/warnings/warning.ts";
import { describeSearch } from "#text/describe-search.ts";
import { formatList } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { warningName } from "#text/warning-words.ts";
import { useOwnPlaces } from "../../lib/backend/own-places.ts";
import { logProblem } from "../../lib/browser/log.ts";
import { type ColumnValue, type ColumnValues, isSet } from "../../lib/changes/change.ts";
import { sendMine } from "../../lib/changes/send-unsent.ts";
import { dropUnsent, type StoredChange } from "../../lib/changes/unsent.ts";
import { useTexts, useWords } from "../../lib/i18n/use-texts.ts";
import { Button } from "../ui/button.tsx";

interface ConflictListProps {
  userId: string;
  questions: readonly StoredChange[];
}

export function ConflictList({ userId, questions }: ConflictListProps) {
  const t = useTexts("common");
  const queries = useQueryClient();
  // The answers are shown where the change was made: everything of the person is loaded again.
  const reload = () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === userId });
  const keepMine = (row: StoredChange) =>
    void sendMine(row)
      .then(reload)
      .catch((error: unknown) => logProblem("A change could not be sent", error));
  const keepTheirs = (row: StoredChange) => void dropUnsent(row.id).then(reload);
  return questions.map((row) => {
    const { theirs, refusal } = row.question ?? {};
    const names = Object.keys(row.mine);
    return (
      <div
        key={row.id}
        role="alert"
        className="grid gap-2 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-md leading-snug wrap-anywhere whitespace-pre-line"
      >
        <p className="font-semibold">
          {t(theirs ? "conflict.title" : "conflict.refused", { what: row.title })}
          {refusal && <Reason refusal={refusal} />}
        </p>
        <p className="text-muted">
          {t("conflict.mine", { value: "" })}
          <Values userId={userId} names={names} values={row.mine} />
        </p>
        {theirs && (
          <p className="text-muted">
            {t("conflict.theirs", { value: "" })}
            <Values userId={userId} names={names} values={theirs} />
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => keepMine(row)}>
            {t(theirs ? "conflict.useMine" : "parts.retry")}
          </Button>
          <Button variant="ghost" onClick={() => keepTheirs(row)}>
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
  values: ColumnValues;
}

const ZONES = { "Europe/Madrid": "quiet.zones.mainland", "Atlantic/Canary": "quiet.zones.canary" } as const;

/** The values of a change as the page of the setting writes them. */
function Values({ userId, names, values }: ValuesProps) {
  const common = useTexts("common");
  const t = useTexts("filter");
  const search = useWords("search");
  const home = useWords("home");
  const rules = useRulesInWords(userId);
  const finds = useTexts("finds");
  const listOf = (name: string, parts: readonly string[]) =>
    name === "hidden_warnings"
      ? formatList(
          parts.map((kind) => warningName(kind as WarningKind, home)),
          home.language,
        )
      : parts.join(", ");
  const inWords = (name: string, value: ColumnValue): string => {
    if (name !== "rules" && isSet(value)) return listOf(name, value);
    const text = String(value);
    switch (name) {
      case "rules":
        return rules(readRules(value).rules);
      case "filter_url": {
        const parsed = parseSearchUrl(text);
        return parsed.ok ? `${describeSearch(parsed.search, search).text} (${text})` : text;
      }
      case "receives":
        return t(`chats.receives.${text}` as "chats.receives.kept");
      case "language":
        return isLanguage(text) ? LANGUAGE_TRAITS[text].name : text;
      case "time_zone":
        return t(ZONES[timeZoneOr(text, "Europe/Madrid")]);
      case "mark":
        return finds(`states.${text}` as "states.kept" | "states.hidden");
      default:
        return text;
    }
  };
  const texts = names.flatMap((name) => {
    const value = values[name];
    const isEmpty =
      value === undefined || value === null || value === "" || (isSet(value) && value.length === 0);
    return isEmpty ? [] : inWords(name, value);
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
