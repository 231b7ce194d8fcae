import { ArrowRight, Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { type PlaceSuggestion, suggestPlaces } from "#core/places/suggest-places.ts";
import { BEDROOMS, type Bedrooms, OPERATIONS, type Operation, searchFor } from "#core/search/search.ts";
import { parsePrice, searchOfAnswers } from "#core/search/search-answers.ts";
import { describeSearch } from "#text/describe-search.ts";
import { TextField } from "#web/components/form/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

const MOST_SUGGESTIONS = 5;

type Where = PlaceSuggestion["where"];

/** A search by questions instead of a link. It stands inside a form, so it is not one itself. */
export function SearchQuestions({ onSearch }: { onSearch(url: string): void }) {
  const t = useTexts("filter");
  const [operation, setOperation] = useState<Operation>("rent");
  const [place, setPlace] = useState<{ typed: string; where: Where | undefined }>({
    typed: "",
    where: undefined,
  });
  const [price, setPrice] = useState("");
  const [bedrooms, setBedrooms] = useState<readonly Bedrooms[]>([]);
  const [isAsked, setAsked] = useState(false);
  const maxPriceEur = parsePrice(price);
  const finish = () => {
    setAsked(true);
    if (!place.where || maxPriceEur === undefined) return;
    onSearch(searchOfAnswers({ operation, where: place.where, maxPriceEur, bedrooms }).url);
  };
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    finish();
  };
  const toggle = (count: Bedrooms) =>
    setBedrooms(BEDROOMS.filter((one) => bedrooms.includes(one) !== (one === count)));
  return (
    <div className="grid gap-5">
      <Choices legend={t("questions.operation")}>
        {OPERATIONS.toReversed().map((one) => (
          <Choice key={one} type="radio" isChosen={operation === one} onChoose={() => setOperation(one)}>
            {t(`questions.${one}`)}
          </Choice>
        ))}
      </Choices>
      <PlaceQuestion
        operation={operation}
        typed={place.typed}
        where={place.where}
        isAsked={isAsked}
        onEnter={onEnter}
        onChange={(typed, where) => setPlace({ typed, where })}
      />
      <TextField
        label={t(operation === "rent" ? "questions.rentPrice" : "questions.salePrice")}
        hint={t("questions.priceHint")}
        fault={isAsked && maxPriceEur === undefined ? t("questions.priceInvalid") : undefined}
        inputMode="numeric"
        autoComplete="off"
        value={price}
        onValueChange={setPrice}
        onKeyDown={onEnter}
      />
      <Choices legend={t("questions.bedrooms")}>
        {BEDROOMS.map((count) => (
          <Choice
            key={count}
            type="checkbox"
            isChosen={bedrooms.includes(count)}
            onChoose={() => toggle(count)}
          >
            {count === 0 ? t("questions.studio") : count === 4 ? "4+" : count}
          </Choice>
        ))}
      </Choices>
      <Button size="lg" className="sm:justify-self-start" onClick={finish}>
        {t("questions.done")}
        <ArrowRight aria-hidden className="size-5" />
      </Button>
    </div>
  );
}

interface PlaceQuestionProps {
  operation: Operation;
  typed: string;
  where: Where | undefined;
  isAsked: boolean;
  onEnter(event: KeyboardEvent): void;
  onChange(typed: string, where: Where | undefined): void;
}

/** A place must be chosen: several places can have the same name. */
function PlaceQuestion({ operation, typed, where, isAsked, onEnter, onChange }: PlaceQuestionProps) {
  const t = useTexts("filter");
  const words = useWords("search");
  const suggestions = where ? [] : suggestPlaces(typed, MOST_SUGGESTIONS);
  const isUnknown = !where && typed.trim().length > 2 && suggestions.length === 0;
  const labelOf = (one: Where) => {
    const { chips } = describeSearch(searchFor(operation, "homes", one), words);
    return chips.find(({ part }) => part === "where")?.text ?? "";
  };
  const fault = isUnknown
    ? t("questions.whereUnknown")
    : isAsked && !where
      ? t("questions.whereRequired")
      : undefined;
  return (
    <div className="grid gap-2">
      <TextField
        label={t("questions.where")}
        hint={t("questions.whereHint")}
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValueChange={(text) => onChange(text, undefined)}
        onKeyDown={(event) => {
          const [first] = suggestions;
          if (event.key === "Enter" && first) {
            event.preventDefault();
            onChange(labelOf(first.where), first.where);
          } else onEnter(event);
        }}
      >
        {where && (
          <Check aria-hidden className="pointer-events-none absolute top-3.5 right-4 size-5 text-good" />
        )}
      </TextField>
      {suggestions.length > 0 && (
        <ul aria-label={t("questions.suggestions")} className="flex flex-wrap gap-2">
          {suggestions.map((one) => (
            <li key={JSON.stringify(one.where)}>
              <Button
                variant="outline"
                className="min-h-11 text-left"
                onClick={() => onChange(labelOf(one.where), one.where)}
              >
                {labelOf(one.where)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-md font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  );
}

interface ChoiceProps {
  type: "radio" | "checkbox";
  isChosen: boolean;
  onChoose(): void;
  children: ReactNode;
}

function Choice({ type, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label
      className={cn(
        "relative grid min-h-11 min-w-12 cursor-pointer place-items-center rounded-xl border px-4 font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
        isChosen ? "border-ink bg-ink text-background" : "border-strong-line bg-background",
      )}
    >
      <input
        type={type}
        name={type === "radio" ? "operation" : "bedrooms"}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-xl outline-none"
      />
      <span className="figures">{children}</span>
    </label>
  );
}
