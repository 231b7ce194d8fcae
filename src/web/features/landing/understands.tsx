import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** Belongs to the first step: what Sereno reads in the pasted link. */
export function Understands() {
  const t = useTexts("landing");
  return (
    <div className="mt-7 rounded-2xl border border-line bg-surface p-5 md:mt-24 md:p-8">
      <h3 className="text-2xl md:text-3xl">{t("understands.title")}</h3>
      <p className="mt-2 max-w-2xl text-muted md:text-lg">{t("understands.lead")}</p>
      <div className="mt-3 grid gap-3 md:mt-6 md:gap-5">
        <p className="sr-only max-md:hidden">{t("understands.addressLabel")}</p>
        <p
          translate="no"
          className="hidden rounded-xl border border-line bg-background wrap-anywhere px-4 py-2.5 font-mono text-sm text-muted md:block"
        >
          {SHOWN_LINK}
        </p>
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          className="mx-auto hidden size-7 fill-none stroke-muted stroke-2 md:block"
        >
          <path d="M12 3v17m-6-6 6 6 6-6" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
        <p className="sr-only">{t("understands.sentenceLabel")}</p>
        <p className="text-balance max-w-2xl text-lg leading-snug font-bold md:mx-auto md:text-center md:text-2xl">
          {t("understands.sentence")}
        </p>
      </div>
    </div>
  );
}

/** A typical link; the page shows what Sereno reads in it. */
export const EXAMPLE_SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400,metros-cuadrados-mas-de_50,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas,ascensor/?ordenado-por=fecha-publicacion-desc";

/** In one line: people paste links, and hardly read them. */
const SHOWN_LINK = `${EXAMPLE_SEARCH.replace("https://www.", "").split("/").slice(0, 2).join("/")}/…`;
