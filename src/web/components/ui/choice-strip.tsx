import { useId } from "react";
import { cn } from "../../lib/browser/class-names.ts";

interface ChoiceStripProps<Choice extends string> {
  /** Names the choice for screen readers. */
  label: string;
  choices: readonly { readonly value: Choice; readonly text: string }[];
  chosen: Choice | undefined;
  onChoose(choice: Choice): void;
}

/** A few short choices side by side, of which one is made. */
export function ChoiceStrip<Choice extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: ChoiceStripProps<Choice>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="grid auto-cols-fr grid-flow-col rounded-xl border border-strong-line p-1"
    >
      {choices.map(({ value, text }) => (
        <label
          key={value}
          className={cn(
            "relative grid min-h-11 cursor-pointer place-items-center rounded-lg px-1.5 text-center text-sm leading-tight has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
            value === chosen ? "bg-ink font-semibold text-background" : "text-ink hover:bg-ink/6",
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {text}
        </label>
      ))}
    </div>
  );
}
