import { ClipboardPaste } from "lucide-react";
import { type RefObject, useState } from "react";
import { TextField } from "#web/components/form/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { useHydrated } from "#web/hydration/use-hydrated.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface UrlFieldProps {
  inputRef: RefObject<HTMLInputElement | null>;
  value: string;
  fault: string | undefined;
  onValueChange(value: string): void;
}

export function UrlField({ inputRef, value, fault, onValueChange }: UrlFieldProps) {
  const t = useTexts("filter");
  const [cannotPaste, setCannotPaste] = useState(false);
  const canAsk = useHydrated() && typeof navigator.clipboard?.readText === "function";
  const paste = () =>
    navigator.clipboard.readText().then(
      (pasted) => {
        onValueChange(pasted);
        // The clicked button is removed, so the field takes the focus.
        inputRef.current?.focus();
      },
      () => setCannotPaste(true),
    );
  const isOffered = canAsk && value === "" && !cannotPaste;
  return (
    <TextField
      ref={inputRef}
      label={t("url.label")}
      hint={cannotPaste ? t("url.pasteFailed") : t("url.hint")}
      fault={fault}
      name="url"
      type="url"
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      className={isOffered ? "h-14 pr-28" : "h-14"}
      placeholder="https://www.idealista.com/..."
      value={value}
      onValueChange={onValueChange}
      // A paste into the input would join the lines of a shared text before we can read them.
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text/plain");
        const { selectionStart, selectionEnd } = event.currentTarget;
        const isWhole = selectionStart === 0 && selectionEnd === event.currentTarget.value.length;
        if (!isWhole || !/[\r\n]/.test(pasted.trim())) return;
        event.preventDefault();
        onValueChange(pasted);
      }}
    >
      {isOffered && (
        <Button variant="ghost" className="absolute top-1.5 right-1.5" onClick={() => void paste()}>
          <ClipboardPaste aria-hidden className="size-4.5" />
          {t("url.paste")}
        </Button>
      )}
    </TextField>
  );
}
