import { useId } from "react";

interface SwitchProps {
  label: string;
  description?: string;
  isOn: boolean;
  onTurn(isOn: boolean): void;
}

/** Takes effect at once, unlike a checkbox in a form that is saved. */
export function Switch({ label, description, isOn, onTurn }: SwitchProps) {
  const descriptionId = useId();
  return (
    <div className="grid">
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 font-semibold">
        {label}
        <span className="relative h-7 w-12 shrink-0">
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn}
            aria-describedby={description && descriptionId}
            checked={isOn}
            onChange={(event) => onTurn(event.target.checked)}
            className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full border border-strong-line bg-ink/8 checked:border-ink checked:bg-ink"
          />
          <span
            aria-hidden
            className="pointer-events-none absolute top-1 left-1 size-5 rounded-full bg-strong-line transition-transform peer-checked:translate-x-5 peer-checked:bg-background"
          />
        </span>
      </label>
      {description && (
        <p id={descriptionId} className="-mt-1 pr-16 text-md leading-snug text-muted">
          {description}
        </p>
      )}
    </div>
  );
}
