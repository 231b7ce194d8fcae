import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { StopMails } from "../../features/stop-mails/stop-mails.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["auth"], startsAtNight: true };

export default function StopMailsPage() {
  const t = useTexts("auth");
  return (
    <>
      <PrivatePageMeta title={`${t("stopMails.pageTitle")} · Sereno`} />
      <StopMails />
    </>
  );
}
