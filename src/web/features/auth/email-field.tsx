import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Field } from "../../components/field.tsx";
import type { DraftFormProps } from "./draft.ts";

export function EmailField({ draft, onDraftChange, fault }: DraftFormProps & { fault: string | undefined }) {
  const t = useTexts("auth");
  return (
    <Field
      label={t("fields.email.label")}
      placeholder={t("fields.email.placeholder")}
      fault={fault}
      type="email"
      name="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={draft.email}
      onValueChange={(email) => onDraftChange({ email })}
    />
  );
}
