import type { ReactNode } from "react";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { LanternMark } from "../../components/lantern-mark.tsx";

export function Alert() {
  const t = useTexts("landing");
  return (
    <section
      aria-labelledby="alert"
      className="far-below mx-auto grid max-w-6xl gap-x-16 gap-y-6 px-5 py-8 md:px-6 md:py-28 lg:grid-cols-2 lg:items-center"
    >
      <div>
        <h2 id="alert" className="text-3xl md:text-5xl">
          {t("alert.title")}
        </h2>
        <p className="mt-3 max-w-xl text-muted md:text-lg">{t("alert.lead")}</p>
      </div>
      <figure className="rounded-3xl bg-chat p-4 md:p-10">
        <div className="grid gap-1 rounded-2xl rounded-bl-md bg-bubble p-4 shadow-card md:p-5">
          <p className="font-semibold">
            <LanternMark className="-mt-1 mr-1 inline size-5" />
            {t("alert.headline")}
          </p>
          <p>{t("alert.listing")}</p>
          <p className="figures font-semibold">{t("alert.facts")}</p>
          <p>{t("alert.perM2")}</p>
        </div>
        <div className="mt-2 grid grid-cols-[auto_auto_auto] gap-1.5 text-md">
          <SampleButton className="col-span-3">{t("alert.buttons.open")}</SampleButton>
          <SampleButton>{t("alert.buttons.hide")}</SampleButton>
          <SampleButton>{t("alert.buttons.keep")}</SampleButton>
          <SampleButton>{t("alert.buttons.mute")}</SampleButton>
          <SampleButton className="col-span-3">{t("alert.buttons.message")}</SampleButton>
        </div>
      </figure>
    </section>
  );
}

/** Looks like a button of a message in Telegram; it is part of a picture. */
export function SampleButton({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={cn(
        "grid min-h-11 min-w-0 place-items-center rounded-xl bg-bubble/80 px-2 py-1 text-center leading-tight font-semibold wrap-anywhere",
        className,
      )}
    >
      {children}
    </span>
  );
}
