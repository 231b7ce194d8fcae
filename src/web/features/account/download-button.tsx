import { Download } from "lucide-react";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../components/submit-button.tsx";
import { fetchMyData } from "./account-calls.ts";
import { useAccountMutation } from "./use-account-mutation.ts";

export function DownloadButton() {
  const t = useTexts("account");
  const { isBusy, run } = useAccountMutation(t("export.failure", { returnObjects: true }));
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

/** Hands the browser a file to keep. */
function saveJson(name: string, content: unknown): void {
  const file = new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: Safari reads the address only after the click was dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
