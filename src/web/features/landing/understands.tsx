import { useTexts } from "#web/lib/i18n/use-texts.ts";

const CHIPS = ["operation", "kind", "place", "price", "size", "rooms", "lift"] as const;

/** A search address, and the words Sereno makes of it. */
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
          <ul aria-label={t("understands.chipsLabel")} className="flex flex-wrap justify-center gap-2.5">
            {CHIPS.map((chip) => (
              <li key={chip} className="rounded-full border border-strong-line px-4 py-1.5 font-medium">
                {t(`understands.chips.${chip}`)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

/** A search as a hunter would paste it; what the page says about it is what Sereno reads in it. */
export const EXAMPLE_SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400,metros-cuadrados-mas-de_50,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas,ascensor/?ordenado-por=fecha-publicacion-desc";
