import { PencilLine } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { RenameForm } from "./rename-form.tsx";

/** A button that opens the form for the name of a search. */
export function RenameSearch({ userId, search }: { userId: string; search: SavedSearch }) {
  const t = useTexts("filter");
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  if (isOpen) {
    return <RenameForm userId={userId} search={search} onDone={() => setOpen(false)} />;
  }
  return (
    <Button
      ref={opener}
      variant="link"
      size="inline"
      className="-my-2 min-h-11 justify-self-start text-left text-[0.9375rem] whitespace-normal!"
      onClick={() => setOpen(true)}
    >
      <PencilLine aria-hidden className="size-4" />
      {search.name === null ? t("searches.giveName") : t("searches.renameNamed", { name: search.name })}
    </Button>
  );
}
