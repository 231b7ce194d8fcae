import { Download } from "lucide-react";
import { SubmitButton } from "../../components/submit-button.tsx";
import { useTexts } from "../../lib/use-texts.ts";
import { fetchMyData } from "./account-calls.ts";
import { saveJson } from "./save-json.ts";
import { useDeed } from "./use-deed.ts";

export function DownloadButton() {
  const t = useTexts("account");
  const { isBusy, run } = useDeed(t("export.failure", { returnObjects: true }));
  const download = async () => {
    const content = await fetchMyData();
    const day = new Date().toISOString().slice(0, 10);
    saveJson(`${t("export.fileName")}-${day}.json`, content);
  };
  return (
    <SubmitButton
      type="button"
      variant="outline"
      className="w-full sm:w-auto sm:justify-self-start"
      isBusy={isBusy}
      busyText={t("export.submitting")}
      onClick={() => void run(download, t("export.success", { returnObjects: true }))}
    >
      <Download aria-hidden className="size-4.5" />
      {t("export.submit")}
    </SubmitButton>
  );
}
