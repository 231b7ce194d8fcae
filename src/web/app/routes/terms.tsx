import legal from "#text/locales/en/legal.json";
import { LegalPage, type LegalText } from "../../components/legal-page.tsx";
import { PageMeta } from "../../components/page-meta.tsx";
import { registerEnglish } from "../../lib/i18n/english.ts";
import type { PageHandle } from "../../lib/i18n/namespaces.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";

registerEnglish("legal", legal);

export const handle: PageHandle = { namespaces: ["legal"] };

export default function TermsPage() {
  const t = useTexts("legal");
  const text: LegalText & { description: string } = t("terms", { returnObjects: true });
  return (
    <>
      <PageMeta path="/terms" title={`${text.title} · Sereno`} description={text.description} />
      <LegalPage text={text} />
    </>
  );
}
