import auth from "#locales/en/auth.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { ResetPassword } from "../../features/reset-password/reset-password.tsx";
import { registerEnglish } from "../../lib/english.ts";
import type { PageHandle } from "../../lib/surfaces.ts";
import { useTexts } from "../../lib/use-texts.ts";

registerEnglish("auth", auth);

export const handle: PageHandle = { surfaces: ["auth"], startsAtNight: true };

export default function ResetPasswordPage() {
  const t = useTexts("auth");
  return (
    <>
      <PrivatePageMeta title={`${t("reset.pageTitle")} · Sereno`} />
      <ResetPassword />
    </>
  );
}
