import { useId } from "react";
import type { OwnPlace } from "#core/finds/find.ts";
import { LONGEST_WORD, MOST_WORDS } from "#core/rules/rule-fields.ts";
import { type RuleAct, type RuleSubject, typedFieldOf } from "#core/rules/rule-kinds.ts";
import { ruleName } from "#text/rule-words.ts";
import { inputClasses } from "#web/components/form/text-field.tsx";
import { ChoiceStrip } from "#web/components/ui/choice-strip.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { DraftLine } from "./rule-draft.ts";

interface RuleLineProps {
  line: DraftLine;
  places: readonly OwnPlace[];
  hasFault: boolean;
  acts: readonly RuleAct[];
  onChange(line: DraftLine): void;
}

export function RuleLine({ line, places, hasFault, acts, onChange }: RuleLineProps) {
  const t = useTexts("rules");
  const name = useSubjectName(line.subject, places);
  return (
    <div className="grid min-w-0 gap-2">
      <RuleField line={line} name={name} hasFault={hasFault} onChange={onChange} />
      <ChoiceStrip
        label={t("choice", { subject: name })}
        choices={acts.map((value) => ({ value, text: t(`acts.${value}`) }))}
        chosen={line.act}
        onChoose={(act) => onChange({ ...line, act })}
      />
    </div>
  );
}

type RuleFieldProps = Pick<RuleLineProps, "line" | "hasFault" | "onChange"> & { name: string };

/** The name of the subject, and what it needs to be typed. */
function RuleField({ line, name, hasFault, onChange }: RuleFieldProps) {
  const t = useTexts("rules");
  const id = useId();
  const { subject, typed } = line;
  const own = typedFieldOf(subject.on)?.field;
  const change = (next: string) => onChange({ ...line, typed: next });
  if (own?.is === "words") {
    return (
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-md leading-snug font-semibold">
          {name}
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={MOST_WORDS * (LONGEST_WORD + 2)}
          value={typed}
          onChange={(event) => change(event.target.value)}
          aria-invalid={hasFault}
          aria-describedby={`${id}-hint`}
          className={cn(inputClasses, "resize-y py-3 leading-snug")}
        />
        <p id={`${id}-hint`} className={cn("text-sm", hasFault ? "font-medium text-tile" : "text-muted")}>
          {t("wordsHint")}
        </p>
      </div>
    );
  }
  if (own?.is !== "count") {
    return <p className="text-md leading-snug">{name}</p>;
  }
  return (
    <div className="flex items-center justify-between gap-3">
      <label htmlFor={id} className="min-w-0 text-md leading-snug">
        {name}
      </label>
      <span className="flex shrink-0 items-center gap-2">
        <input
          id={id}
          inputMode="numeric"
          maxLength={3}
          value={typed}
          onChange={(event) => change(event.target.value.replace(/\D/g, ""))}
          aria-invalid={hasFault}
          aria-describedby={`${id}-unit`}
          className={cn(inputClasses, "figures w-18! px-3! text-right")}
        />
        <span id={`${id}-unit`} className="text-sm text-muted">
          {own.unit === "percent" ? "%" : t("minutes")}
        </span>
      </span>
    </div>
  );
}

function useSubjectName(subject: RuleSubject, places: readonly OwnPlace[]): string {
  const words = { rules: useWords("rules"), home: useWords("home") };
  return ruleName(subject, words, places);
}
