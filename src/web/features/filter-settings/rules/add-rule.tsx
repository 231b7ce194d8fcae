import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { OwnPlace } from "#core/finds/find.ts";
import { subjectKey } from "#core/rules/rule.ts";
import { RULE_KIND_NAMES, type RuleSubject } from "#core/rules/rule-kinds.ts";
import { ruleOffer } from "#text/rule-words.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextLink } from "#web/components/ui/text-link.tsx";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { type DraftLine, subjectsLeft } from "./rule-draft.ts";

interface AddRuleProps {
  lines: readonly DraftLine[];
  places: readonly OwnPlace[];
  onAdd(subject: RuleSubject): void;
}

/** Offers what people want first; the others follow when asked. */
export function AddRule(props: AddRuleProps) {
  const t = useTexts("rules");
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (isOpen) {
    return (
      <Subjects
        {...props}
        // The row of the new rule takes the focus.
        onAdd={(subject) => {
          setOpen(false);
          props.onAdd(subject);
        }}
        onCancel={() => {
          flushSync(() => setOpen(false));
          opener.current?.focus();
        }}
      />
    );
  }
  return (
    <Button ref={opener} variant="outline" className="justify-self-start" onClick={() => setOpen(true)}>
      <Plus aria-hidden className="size-4.5" />
      {t("add")}
    </Button>
  );
}

function Subjects({ lines, places, onAdd, onCancel }: AddRuleProps & { onCancel(): void }) {
  const t = useTexts("rules");
  const [isWhole, setWhole] = useState(false);
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { wanted, others } = subjectsLeft(lines, places);
  const shown = { places, onChoose: onAdd };
  return (
    <div className="grid gap-4 rounded-xl border border-line bg-background p-4">
      <p ref={title} tabIndex={-1} className="font-semibold outline-none">
        {t("which")}
      </p>
      <SubjectButtons {...shown} subjects={wanted} />
      {isWhole ? (
        RULE_KIND_NAMES.map((on) => {
          const ofKind = others.filter((subject) => subject.on === on);
          const isWithoutPlaces = on === "minutes" && places.length === 0;
          if (ofKind.length === 0 && !isWithoutPlaces) return null;
          return (
            <section key={on} aria-label={t(`groups.${on}`)} className="grid gap-2">
              <p className="text-sm text-muted">{t(`groups.${on}`)}</p>
              {isWithoutPlaces ? <NoPlaces /> : <SubjectButtons {...shown} subjects={ofKind} />}
            </section>
          );
        })
      ) : (
        <Button variant="link" size="line" onClick={() => setWhole(true)}>
          {t("more")}
        </Button>
      )}
      <Button variant="ghost" className="justify-self-start" onClick={onCancel}>
        {t("cancel")}
      </Button>
    </div>
  );
}

interface SubjectButtonsProps {
  subjects: readonly RuleSubject[];
  places: readonly OwnPlace[];
  onChoose(subject: RuleSubject): void;
}

function SubjectButtons({ subjects, places, onChoose }: SubjectButtonsProps) {
  const words = { rules: useWords("rules"), home: useWords("home") };
  return (
    <ul className="flex flex-wrap gap-2">
      {subjects.map((subject) => (
        <li key={subjectKey(subject)}>
          <Button variant="outline" className="text-left" onClick={() => onChoose(subject)}>
            {ruleOffer(subject, words, places)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function NoPlaces() {
  const t = useTexts("rules");
  return (
    <p className="text-md text-muted">
      {t("noPlaces")} <TextLink to="/finds?view=settings">{t("placesAction")}</TextLink>
    </p>
  );
}
