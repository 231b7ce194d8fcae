import type { ReactNode } from "react";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SampleButton } from "./alert.tsx";
import mapDark from "./pictures/map-dark.webp";
import mapLight from "./pictures/map-light.webp";

/** The beginning of the ready message about the sample alert. It is Spanish in every language. */
export const SAMPLE_MESSAGE =
  "Hola: Le escribo porque me interesa la vivienda que alquila: piso, Calle de Fuencarral, 1.250\u00a0€ al mes";

/** What can be done with a found home: finds and map, keep and hide, the ready message. */
export function AfterAlert() {
  const t = useTexts("landing");
  return (
    <section aria-labelledby="after" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-5 py-8 md:px-6 md:py-24">
        <h2 id="after" className="text-3xl md:text-5xl">
          {t("after.title")}
        </h2>
        <p className="mt-3 max-w-2xl text-muted md:text-lg">{t("after.lead")}</p>
        <ul className="mt-5 grid gap-3 md:mt-10 md:gap-6 lg:grid-cols-3">
          <Tile title={t("after.finds.title")} text={t("after.finds.text")}>
            <MapPicture />
          </Tile>
          <Tile title={t("after.marks.title")} text={t("after.marks.text")}>
            <div aria-hidden className="grid content-center gap-2 bg-chat px-4 text-md">
              <p className="rounded-2xl rounded-bl-md bg-bubble px-3 py-2 leading-snug max-md:hidden">
                {t("alert.listing")}
                <span className="figures block font-semibold">{t("alert.facts")}</span>
              </p>
              <div className="grid grid-cols-2 gap-1.5">
                <SampleButton>{t("alert.buttons.hide")}</SampleButton>
                <SampleButton>{t("alert.buttons.keep")}</SampleButton>
              </div>
            </div>
          </Tile>
          <Tile title={t("after.message.title")} text={t("after.message.text")}>
            <div className="grid content-center bg-chat px-4">
              <p lang="es" className="rounded-2xl rounded-br-md bg-bubble p-3 text-md leading-snug">
                {SAMPLE_MESSAGE}
              </p>
            </div>
          </Tile>
        </ul>
      </div>
    </section>
  );
}

interface TileProps {
  title: string;
  text: string;
  children: ReactNode;
}

function Tile({ title, text, children }: TileProps) {
  return (
    <li className="grid content-start overflow-hidden rounded-2xl border border-line bg-background">
      <div className="grid h-28 overflow-hidden md:h-52">{children}</div>
      <div className="grid gap-1 px-4 py-3 md:gap-2 md:p-6">
        <h3 className="text-xl">{title}</h3>
        <p className="text-muted">{text}</p>
      </div>
    </li>
  );
}

/** A photograph of the product's map in each theme. It says nothing that the text beside it does not. */
function MapPicture() {
  return (
    <>
      {[
        { src: mapLight, look: "dark:hidden" },
        { src: mapDark, look: "hidden dark:block" },
      ].map(({ src, look }) => (
        <img
          key={src}
          src={src}
          alt=""
          width={720}
          height={416}
          loading="lazy"
          decoding="async"
          className={cn("size-full object-cover", look)}
        />
      ))}
    </>
  );
}
