import { useEffect, useRef } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import { type PastHome, pastEffect } from "#core/rules/past-homes.ts";
import { LONGEST_WORD, MOST_WORDS } from "#core/rules/rule-fields.ts";
import { typedFieldOf } from "#core/rules/rule-kinds.ts";
import { formatNumber, formatPercent, formatUnit } from "#text/labels.ts";
import { ruleName } from "#text/rule-words.ts";
import { Textarea, TextField } from "#web/components/form/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { ChoiceStrip } from "#web/components/ui/choice-strip.tsx";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { type DraftLine, faultOf, rulesOf } from "./rule-draft.ts";

interface RuleRowProps {
  line: DraftLine;
  places: readonly OwnPlace[];
  /** Undefined while loading, or if they could not be loaded. */
  past: readonly PastHome[] | undefined;
  hasFault: boolean;
  /** It was added just now. */
  isNew: boolean;
  onChange(line: DraftLine): void;
  onRemove(): void;
}

/** A rule that is set: what it is about, what it does, and what it would have done. */
export function RuleRow({ line, places, past, hasFault, isNew, onChange, onRemove }: RuleRowProps) {
  const t = useTexts("rules");
  const name = useRuleName()(line, places);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) row.current?.querySelector<HTMLElement>("textarea, input")?.focus();
  }, [isNew]);
  return (
    <li ref={row} className="grid min-w-0 gap-2.5 py-3 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-x-4">
        <p className="min-w-0 py-2 leading-snug font-semibold wrap-anywhere">{name}</p>
        <Button
          variant="dangerLink"
          size="line"
          aria-label={t("removeNamed", { subject: name })}
          onClick={onRemove}
        >
          {t("remove")}
        </Button>
      </div>
      <TypedValue line={line} name={name} hasFault={hasFault} onChange={onChange} />
      <ChoiceStrip
        label={t("choice", { subject: name })}
        choices={(["leave-out", "silent"] as const).map((value) => ({ value, text: t(`acts.${value}`) }))}
        chosen={line.act === "alert" ? undefined : line.act}
        onChoose={(act) => onChange({ ...line, act })}
      />
      <RowEffect line={line} places={places} past={past} />
    </li>
  );
}

/** What this rule alone would have done, recalculated with every change. */
function RowEffect({ line, places, past }: Pick<RuleRowProps, "line" | "places" | "past">) {
  const t = useTexts("rules");
  const language = useLanguage();
  if (!past?.length || line.act === "alert" || faultOf(line)) return null;
  const { homes, leftOut, silent } = pastEffect(rulesOf([line], places), past, places);
  const number = formatNumber(line.act === "silent" ? silent : leftOut, language);
  return (
    <p role="status" className="figures text-md text-muted">
      {t(`rowEffect.${line.act}`, { number, homes: formatNumber(homes, language) })}
    </p>
  );
}

type TypedValueProps = Pick<RuleRowProps, "line" | "hasFault" | "onChange"> & { name: string };

/** What a rule needs to be typed: words, or a number. */
function TypedValue({ line, name, hasFault, onChange }: TypedValueProps) {
  const t = useTexts("rules");
  const language = useLanguage();
  const own = typedFieldOf(line.subject.on)?.field;
  const field = { name: line.key, value: line.typed };
  if (own?.is === "words") {
    return (
      <Textarea
        {...field}
        label={name}
        isLabelHidden
        maxLength={MOST_WORDS * (LONGEST_WORD + 2)}
        hint={t("wordsHint")}
        fault={hasFault ? t("wordsHint") : undefined}
        onValueChange={(typed) => onChange({ ...line, typed })}
      />
    );
  }
  if (own?.is !== "count") return null;
  const most =
    own.unit === "percent"
      ? formatPercent(own.most, language)
      : formatUnit(own.most, "minute", language, "long");
  const range = t("range", { most });
  return (
    <TextField
      {...field}
      label={name}
      isLabelHidden
      inputMode="numeric"
      maxLength={3}
      className="figures"
      hint={range}
      fault={hasFault ? range : undefined}
      onValueChange={(typed) => onChange({ ...line, typed: typed.replace(/\D/g, "") })}
    />
  );
}

/** The name of what a rule is about, without its typed value. */
function useRuleName() {
  const words = { rules: useWords("rules"), home: useWords("home") };
  return ({ subject }: Pick<DraftLine, "subject">, places: readonly OwnPlace[]) =>
    ruleName(subject, words, places);
}
