import { Check } from "lucide-react";

interface CheckboxProps {
  label: string;
  isChecked: boolean;
  onCheckedChange(isChecked: boolean): void;
}

export function Checkbox({ label, isChecked, onCheckedChange }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
      <span className="relative grid size-6 shrink-0 place-items-center">
        <input
          type="checkbox"
          checked={isChecked}
          onChange={(event) => onCheckedChange(event.target.checked)}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-md border border-strong-line bg-background checked:border-ink checked:bg-ink"
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none relative size-4 text-background opacity-0 peer-checked:opacity-100"
        />
      </span>
      {label}
    </label>
  );
}
