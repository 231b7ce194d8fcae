import { Download } from "lucide-react";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../components/submit-button.tsx";
import { fetchMyData } from "./account-calls.ts";

export function DownloadButton() {
  const t = useTexts("account");
  const { isBusy, run } = useAction({
    run: async () => {
      const day = new Date().toISOString().slice(0, 10);
      saveJson(`${t("export.fileName")}-${day}.json`, await fetchMyData());
    },
    onSuccess: () => t("export.success", { returnObjects: true }),
    failure: t("export.failure", { returnObjects: true }),
  });
  return (
    <SubmitButton
      type="button"
      variant="outline"
      className="w-full sm:w-auto sm:justify-self-start"
      isBusy={isBusy}
      busyText={t("export.submitting")}
      onClick={() => run()}
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
