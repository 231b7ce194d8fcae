import { Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { type FieldProps, TextField } from "./text-field.tsx";

/** Returning to a filled password field clears it; returning to the window does not. */
export function PasswordField({ value, onValueChange, ...props }: FieldProps) {
  const t = useTexts("auth");
  const [isShown, setShown] = useState(false);
  const hasLeftWindow = useRef(false);
  return (
    <TextField
      {...props}
      value={value}
      onValueChange={onValueChange}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      className="pr-13"
      required
      onFocus={() => {
        if (value !== "" && !hasLeftWindow.current) onValueChange("");
        hasLeftWindow.current = false;
      }}
      onBlur={(event) => {
        hasLeftWindow.current = document.activeElement === event.currentTarget;
      }}
    >
      <button
        type="button"
        aria-label={isShown ? t("fields.password.hide") : t("fields.password.show")}
        className="absolute top-0.5 right-0.5 grid size-11 cursor-pointer place-items-center rounded-lg text-muted hover:text-ink"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff aria-hidden className="size-5" /> : <Eye aria-hidden className="size-5" />}
      </button>
    </TextField>
  );
}
