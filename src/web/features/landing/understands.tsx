import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function Understands() {
  const t = useTexts("landing");
  return (
    <section aria-labelledby="understands" className="far-below border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-5 py-16 md:px-6 md:py-24">
        <h2 id="understands" className="text-3xl md:text-5xl">
          {t("understands.title")}
        </h2>
        <p className="mt-3 max-w-2xl text-muted md:text-lg">{t("understands.lead")}</p>
        <div className="mt-10 grid gap-5 rounded-2xl border border-line bg-background p-4 md:p-8">
          <p className="sr-only">{t("understands.addressLabel")}</p>
          <p
            translate="no"
            className="rounded-xl border border-line bg-surface px-4 py-3 font-mono text-[0.8125rem] leading-relaxed break-all text-muted md:text-sm"
          >
            {EXAMPLE_SEARCH.replace("https://www.", "")}
          </p>
          <svg
            viewBox="0 0 24 24"
            aria-hidden="true"
            className="mx-auto size-7 fill-none stroke-muted stroke-2"
          >
            <path d="M12 3v17m-6-6 6 6 6-6" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
          <p className="sr-only">{t("understands.sentenceLabel")}</p>
          <p className="text-balance mx-auto max-w-2xl text-center text-lg leading-snug font-bold md:text-2xl">
            {t("understands.sentence")}
          </p>
        </div>
      </div>
    </section>
  );
}

/** A typical link; the page shows what Sereno reads in it. */
export const EXAMPLE_SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400,metros-cuadrados-mas-de_50,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas,ascensor/?ordenado-por=fecha-publicacion-desc";
