import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { useTexts } from "../../lib/use-texts.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Panel } from "./panel.tsx";

export function DeletePanel({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts("account");
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel id="delete" title={t("delete.title")} description={t("delete.description")} isGrave>
      <Button
        variant="outline"
        className="w-full border-tile text-tile sm:w-auto sm:justify-self-start"
        onClick={() => setOpen(true)}
      >
        {t("delete.open")}
      </Button>
      {isOpen && <DeleteDialog hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </Panel>
  );
}
