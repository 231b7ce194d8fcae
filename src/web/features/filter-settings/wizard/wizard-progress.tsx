import { formatPercent } from "#text/labels.ts";
import { Roofline } from "#web/components/roofline.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { WIZARD_PROGRESS_PERCENT } from "#web/lib/site/constants.ts";
import type { Step } from "./use-steps.ts";

const STOPS = [
  { step: 1, name: "search", left: "left-1/6" },
  { step: 2, name: "telegram", left: "left-1/2" },
  { step: 3, name: "review", left: "left-5/6" },
] as const;

/** The progress of the wizard, drawn as a street whose lanterns turn on one after the other. */
export function WizardProgress({ step }: { step: Step }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const percent = WIZARD_PROGRESS_PERCENT[step - 1] ?? 0;
  const position = t("steps.position", { step });
  return (
    <div className="night relative h-36 overflow-hidden rounded-2xl border border-line bg-[linear-gradient(180deg,#0b1220_0%,#12203c_60%,#1d2b4b_100%)] sm:h-40 sideways:h-20">
      <Roofline isAsleep className="bottom-9 h-24 opacity-60 md:h-24" />
      <div className="absolute inset-x-0 bottom-0 h-9 bg-[#060a14]" />
      <div
        role="progressbar"
        aria-label={t("steps.progress")}
        aria-valuenow={percent}
        aria-valuetext={`${position}, ${formatPercent(percent, language)}`}
        className="absolute inset-x-0 bottom-9 h-0.75 bg-[#26324d]"
      >
        <div
          className="h-full bg-lantern transition-[width] duration-200 ease-out"
          style={{ width: `${percent}%` }}
        />
      </div>
      {STOPS.map(({ step: at, name, left }) => (
        <div key={name} className={cn("absolute inset-y-0 w-0", left)}>
          <StreetLamp isLit={at <= step} />
          <p
            aria-hidden
            className={cn(
              "absolute bottom-2 left-1/2 -translate-x-1/2 text-fine whitespace-nowrap",
              at === step ? "font-bold text-ink" : "text-muted",
            )}
          >
            {t(`steps.${name}`)}
          </p>
        </div>
      ))}
      <p className="figures absolute top-3 left-4 text-sm font-semibold text-muted">{position}</p>
      <p aria-hidden className="figures absolute top-3 right-4 text-sm font-semibold text-muted">
        {formatPercent(percent, language)}
      </p>
    </div>
  );
}

function StreetLamp({ isLit }: { isLit: boolean }) {
  return (
    <div className="absolute bottom-9 left-1/2 -translate-x-1/2 sideways:hidden">
      <div
        className={cn(
          "absolute -top-9 left-1/2 size-28 -translate-x-1/2 rounded-full transition-opacity duration-200",
          "bg-[radial-gradient(closest-side,rgb(245_165_36/0.5),rgb(245_165_36/0.16)_45%,transparent_72%)]",
          isLit ? "opacity-100" : "opacity-0",
        )}
      />
      <svg viewBox="0 0 24 66" aria-hidden="true" className="relative h-16.5 w-6 overflow-visible">
        <path d="M12 66V26M8.5 66h7M9.5 34h5" stroke="#4a5a80" strokeWidth="2" strokeLinecap="round" />
        <path
          d="M5.5 8h13L16 24H8Z"
          fill={isLit ? "#ffc861" : "#1b2742"}
          stroke="#4a5a80"
          strokeWidth="1.5"
        />
        {isLit && (
          <path
            d="M12 11.5c2.4 2.6 3.4 4.3 3.4 6.1a3.4 3.4 0 0 1-6.8 0c0-1.8 1-3.5 3.4-6.1Z"
            fill="#fffaf0"
          />
        )}
        <path d="M4 8.5C5.5 4.5 8.5 2.5 12 2c3.5.5 6.5 2.5 8 6.5Z" fill="#4a5a80" />
        <path d="M12 2V0" stroke="#4a5a80" strokeWidth="2" strokeLinecap="round" />
      </svg>
    </div>
  );
}
