import { PrivatePageMeta } from "../../components/page-meta.tsx";
import type { PageHandle } from "../../lib/surfaces.ts";
import { useTexts } from "../../lib/use-texts.ts";

export const handle: PageHandle = { surfaces: [] };

export default function ResetPasswordPage() {
  const t = useTexts("common");
  return (
    <>
      <PrivatePageMeta title={`${t("pages.resetPassword")} · Sereno`} />

      <div className="mx-auto min-h-[60vh] max-w-3xl px-5 py-10 md:py-16">
        <h1 className="text-3xl md:text-4xl">{t("pages.resetPassword")}</h1>
      </div>
    </>
  );
}
