import { Download } from "lucide-react";
import { saveFile } from "#web/lib/browser/save-file.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { fetchMyData } from "./account-calls.ts";

export function DownloadButton() {
  const t = useTexts("account");
  const { isBusy, run } = useAction({
    run: async () => {
      // The day of this device, as 2026-11-19.
      const day = new Intl.DateTimeFormat("sv-SE").format(new Date());
      const content = JSON.stringify(await fetchMyData(), null, 2);
      saveFile(`${t("export.fileName")}-${day}.json`, new Blob([content], { type: "application/json" }));
    },
    onSuccess: () => t("export.success", { returnObjects: true }),
    failure: t("export.failure", { returnObjects: true }),
  });
  return (
    <BusyButton
      variant="outline"
      className="w-full sm:w-auto sm:justify-self-start"
      isBusy={isBusy}
      busyText={t("export.submitting")}
      onClick={() => run()}
    >
      <Download aria-hidden className="size-4.5" />
      {t("export.submit")}
    </BusyButton>
  );
}
