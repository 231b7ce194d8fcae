import { Button } from "#web/components/ui/button.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { EXAMPLE_URL } from "./understand-url.ts";

const STEPS = ["open", "filter", "copy", "paste"] as const;

export function UrlHelp({ onExample }: { onExample?: (url: string) => void }) {
  const t = useTexts("filter");
  return (
    <section aria-labelledby="url-help" className="grid gap-2.5 sm:gap-4">
      <h3 id="url-help" className="text-lg">
        {t("help.title")}
      </h3>
      <ol className="grid gap-2 text-sm leading-snug sm:gap-3 sm:text-md ">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden
              className="figures grid size-6 shrink-0 sm:size-7 place-items-center rounded-full border border-strong-line text-sm font-bold"
            >
              {index + 1}
            </span>
            <span className="pt-0.5">{t(`help.${step}`)}</span>
          </li>
        ))}
      </ol>
      <div className="-my-2 flex flex-wrap gap-x-5 text-sm sm:my-0 sm:gap-x-6 sm:text-base-lg">
        <OutsideLink size="line" href="https://www.idealista.com/">
          {t("help.openPortal")}
        </OutsideLink>
        {onExample && (
          <Button variant="link" size="line" onClick={() => onExample(EXAMPLE_URL)}>
            {t("help.tryExample")}
          </Button>
        )}
      </div>
    </section>
  );
}
