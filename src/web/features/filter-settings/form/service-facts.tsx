import { useTexts } from "#web/lib/i18n/use-texts.ts";

const FACTS = ["interval", "subscription", "notifications"] as const;

/** What is the same for everyone and nobody's to change. */
export function ServiceFacts() {
  const t = useTexts("filter");
  return (
    <section aria-labelledby="service" className="grid gap-3 border-t border-line pt-5">
      <h3 id="service" className="text-base">
        {t("service.title")}
      </h3>
      <dl className="grid gap-x-8 gap-y-1.5 text-[0.9375rem] sm:grid-cols-3 sm:gap-y-3">
        {FACTS.map((fact) => (
          <div key={fact} className="flex justify-between gap-4 sm:grid sm:justify-start sm:gap-0.5">
            <dt className="text-muted">{t(`service.${fact}`)}</dt>
            <dd className="font-semibold">{t(`service.${fact}Value`)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">{t("service.note")}</p>
    </section>
  );
}
