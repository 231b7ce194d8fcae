import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { ResetPassword } from "../../features/reset-password/reset-password.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["auth"], startsAtNight: true };

export default function ResetPasswordPage() {
  const t = useTexts("auth");
  return (
    <>
      <PrivatePageMeta title={`${t("reset.pageTitle")} · Sereno`} />
      <ResetPassword />
    </>
  );
}
