import legal from "#locales/en/legal.json";
import { LegalPage, type LegalText } from "../../components/legal-page.tsx";
import { PageMeta } from "../../components/page-meta.tsx";
import { registerEnglish } from "../../lib/english.ts";
import type { PageHandle } from "../../lib/surfaces.ts";
import { useTexts } from "../../lib/use-texts.ts";

registerEnglish("legal", legal);

export const handle: PageHandle = { surfaces: ["legal"] };

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
