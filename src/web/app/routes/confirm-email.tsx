import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { ConfirmEmail } from "../../features/confirm-email/confirm-email.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["auth", "account"], startsAtNight: true };

export default function ConfirmEmailPage() {
  const t = useTexts("auth");
  return (
    <>
      <PrivatePageMeta title={`${t("confirmEmail.pageTitle")} · Sereno`} />
      <ConfirmEmail />
    </>
  );
}
