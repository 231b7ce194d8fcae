import type { ReactNode } from "react";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { ConnectDrawing, DoorDrawing, PasteDrawing } from "./step-drawings.tsx";
import { Understands } from "./understands.tsx";

export function Steps() {
  const t = useTexts("landing");
  return (
    <section aria-labelledby="steps" className="far-below mx-auto max-w-6xl px-5 py-8 md:px-6 md:py-28">
      <h2 id="steps" className="text-3xl md:text-5xl">
        {t("steps.title")}
      </h2>
      <p className="mt-3 max-w-xl text-muted md:text-lg">{t("steps.lead")}</p>
      <div className="relative mt-5 md:mt-16">
        <Street />
        <ol className="relative grid gap-6 md:grid-cols-3 md:gap-10">
          <Step
            number={1}
            drawing={<PasteDrawing />}
            title={t("steps.paste.title")}
            text={t("steps.paste.text")}
          />
          <Step
            number={2}
            drawing={<ConnectDrawing />}
            title={t("steps.connect.title")}
            text={t("steps.connect.text")}
            className="md:mt-16"
          />
          <Step number={3} drawing={<DoorDrawing />} title={t("steps.go.title")} text={t("steps.go.text")} />
        </ol>
      </div>
      <Understands />
    </section>
  );
}

interface StepProps {
  number: number;
  drawing: ReactNode;
  title: string;
  text: string;
  className?: string;
}

function Step({ number, drawing, title, text, className }: StepProps) {
  return (
    <li
      className={cn(
        "relative pl-16 md:pl-0",
        "before:absolute before:top-12 before:-bottom-4 before:left-4.75 before:border-l-2 before:border-dashed before:border-strong-line/60 last:before:hidden md:before:hidden",
        className,
      )}
    >
      <span
        aria-hidden
        className="figures absolute top-0 left-0 grid size-10 place-items-center rounded-full border-2 border-ink bg-background font-bold md:static md:mb-6"
      >
        {number}
      </span>
      {drawing}
      <h3 className="pt-1.5 text-xl md:mt-5 md:pt-0 md:text-2xl">{title}</h3>
      <p className="mt-1 max-w-sm text-muted md:mt-2">{text}</p>
    </li>
  );
}

function Street() {
  return (
    <svg
      viewBox="0 0 1000 120"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-x-0 top-0 hidden h-26 w-full md:block"
    >
      <path
        d="M20 23C160 23 200 100 350 100S540 23 690 23H1000"
        fill="none"
        stroke="var(--strong-line)"
        strokeOpacity="0.6"
        strokeWidth="2"
        strokeDasharray="7 8"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
