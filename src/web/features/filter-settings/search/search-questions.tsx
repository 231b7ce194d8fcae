import { ArrowRight, Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { type FoundPlaces, findPlaces } from "#core/places/find-places.ts";
import {
  BEDROOMS,
  type Bedrooms,
  OPERATIONS,
  type Operation,
  searchFor,
  type Where,
} from "#core/search/search.ts";
import { parsePrice, searchOfAnswers } from "#core/search/search-answers.ts";
import { describeSearch } from "#text/describe-search.ts";
import { capitalised } from "#text/labels.ts";
import { TextField } from "#web/components/form/text-field.tsx";
import { useForm } from "#web/components/form/use-form.ts";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useFootAction } from "./questions-foot.ts";

const MOST_SUGGESTIONS = 5;

/** A search by questions instead of a link. It stands inside a form, so it is not one itself. */
export function SearchQuestions({ onSearch }: { onSearch(url: string): void }) {
  const t = useTexts("filter");
  const [isAsked, setAsked] = useState(false);
  const placeField = useRef<HTMLInputElement>(null);
  const { values, set, discard } = useForm<Answers>({
    saved: NO_ANSWERS,
    keepAs: "questions",
    run: async () => finish(),
    failure: null,
  });
  const { operation, typed, picked, price, bedrooms } = values;
  const found = useMemo(() => findPlaces(typed, MOST_SUGGESTIONS), [typed]);
  const where = picked ?? found.meant;
  const maxPriceEur = parsePrice(price);
  const finish = () => {
    setAsked(true);
    if (where === undefined) placeField.current?.focus();
    if (where === undefined || maxPriceEur === undefined) return;
    onSearch(searchOfAnswers({ operation, where, maxPriceEur, bedrooms }).url);
    discard();
  };
  const isFinishedAtFoot = useFootAction(finish);
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    finish();
  };
  const toggle = (count: Bedrooms) =>
    set({ bedrooms: BEDROOMS.filter((one) => bedrooms.includes(one) !== (one === count)) });
  return (
    <div className="grid gap-5">
      <Choices legend={t("questions.operation")}>
        {OPERATIONS.toReversed().map((one) => (
          <Choice
            key={one}
            type="radio"
            isChosen={operation === one}
            onChoose={() => set({ operation: one })}
          >
            {t(`questions.${one}`)}
          </Choice>
        ))}
      </Choices>
      <PlaceQuestion
        inputRef={placeField}
        operation={operation}
        place={{ typed, picked }}
        found={found}
        isAsked={isAsked}
        onEnter={onEnter}
        onChange={(changed) => {
          setAsked(false);
          set(changed);
        }}
      />
      <TextField
        label={t(operation === "rent" ? "questions.rentPrice" : "questions.salePrice")}
        hint={t("questions.priceHint")}
        fault={isAsked && maxPriceEur === undefined ? t("questions.priceInvalid") : undefined}
        inputMode="numeric"
        autoComplete="off"
        value={price}
        onValueChange={(text) => set({ price: text })}
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
      {!isFinishedAtFoot && (
        <Button size="lg" className="sm:justify-self-start" onClick={finish}>
          {t("questions.done")}
          <ArrowRight aria-hidden className="size-5" />
        </Button>
      )}
    </div>
  );
}

interface TypedPlace {
  readonly typed: string;
  /** Chosen from the suggestions. */
  readonly picked: Where | null;
}

interface Answers extends TypedPlace {
  readonly operation: Operation;
  readonly price: string;
  readonly bedrooms: readonly Bedrooms[];
}

const NO_ANSWERS: Answers = { operation: "rent", typed: "", picked: null, price: "", bedrooms: [] };

interface PlaceQuestionProps {
  inputRef: RefObject<HTMLInputElement | null>;
  operation: Operation;
  place: TypedPlace;
  found: FoundPlaces;
  isAsked: boolean;
  onEnter(event: KeyboardEvent): void;
  onChange(place: TypedPlace): void;
}

/** The place that is meant is taken; the suggestions then offer others of the name. Nothing is wrong before the field is left. */
function PlaceQuestion({
  inputRef,
  operation,
  place,
  found,
  isAsked,
  onEnter,
  onChange,
}: PlaceQuestionProps) {
  const t = useTexts("filter");
  const words = useWords("search");
  const [isLeft, setLeft] = useState(false);
  const { typed, picked } = place;
  const suggestions = picked ? [] : found.places;
  const isFaulty = picked === null && found.meant === undefined;
  const isUnknown = isFaulty && typed.trim().length > 2 && suggestions.length === 0;
  const labelOf = (one: Where) => {
    const { chips } = describeSearch(searchFor(operation, "homes", one), words);
    return capitalised(chips.find(({ part }) => part === "where")?.text ?? "");
  };
  const pick = (one: Where) => {
    onChange({ typed: labelOf(one), picked: one });
    inputRef.current?.focus();
  };
  const fault =
    isUnknown && (isLeft || isAsked)
      ? t("questions.whereUnknown")
      : isAsked && isFaulty
        ? t("questions.whereRequired")
        : undefined;
  const isNear = suggestions.length > 0 && found.certainty === "near";
  return (
    <div className="grid gap-2">
      <TextField
        ref={inputRef}
        label={t("questions.where")}
        hint={isNear ? t("questions.didYouMean") : t("questions.whereHint")}
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValueChange={(text) => {
          setLeft(false);
          onChange({ typed: text, picked: null });
        }}
        onBlur={() => setLeft(true)}
        onKeyDown={(event) => {
          const best = found.meant ?? suggestions[0];
          if (event.key === "Enter" && best && picked === null) {
            event.preventDefault();
            pick(best);
          } else onEnter(event);
        }}
      >
        {!isFaulty && (
          <Check aria-hidden className="pointer-events-none absolute top-3.5 right-4 size-5 text-good" />
        )}
      </TextField>
      {suggestions.length > 0 && (
        <ul aria-label={t("questions.suggestions")} className="flex flex-wrap gap-2">
          {suggestions.map((one) => {
            const isTaken = one === found.meant;
            return (
              <li key={JSON.stringify(one)}>
                <Button
                  variant={isTaken ? "solid" : "outline"}
                  aria-pressed={isTaken}
                  className="min-h-11 text-left"
                  onClick={() => pick(one)}
                >
                  {labelOf(one)}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-md font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-1.5 sm:gap-2">{children}</div>
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
        "relative grid min-h-11 min-w-11 cursor-pointer place-items-center rounded-xl border px-3.5 font-semibold sm:min-w-12 sm:px-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
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
