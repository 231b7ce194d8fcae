import type { ReactNode } from "react";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { SampleButton } from "./alert.tsx";

/** The beginning of the ready message about the sample alert. It is Spanish in every language. */
export const SAMPLE_MESSAGE =
  "Hola: Le escribo porque me interesa la vivienda que alquila: piso, Calle de Fuencarral, 1.250\u00a0€ al mes";

/** What can be done with a found home: finds and map, keep and hide, the ready message. */
export function AfterAlert() {
  const t = useTexts("landing");
  return (
    <section aria-labelledby="after" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-5 py-16 md:px-6 md:py-24">
        <h2 id="after" className="text-3xl md:text-5xl">
          {t("after.title")}
        </h2>
        <p className="mt-3 max-w-2xl text-muted md:text-lg">{t("after.lead")}</p>
        <ul className="mt-10 grid gap-6 lg:grid-cols-3">
          <Tile title={t("after.finds.title")} text={t("after.finds.text")}>
            <MapDrawing />
          </Tile>
          <Tile title={t("after.marks.title")} text={t("after.marks.text")}>
            <div aria-hidden className="grid content-center gap-3 bg-chat p-5 text-md">
              <p className="rounded-2xl rounded-bl-md bg-bubble p-3 leading-snug">
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
            <div className="grid content-center bg-chat p-5">
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
      <div className="grid h-52">{children}</div>
      <div className="grid gap-2 p-5 md:p-6">
        <h3 className="text-xl">{title}</h3>
        <p className="text-muted">{text}</p>
      </div>
    </li>
  );
}

/** A list of homes beside a map with their pins. */
function MapDrawing() {
  return (
    <svg
      viewBox="0 0 360 208"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="size-full bg-chat"
    >
      <path
        d="M150 0l40 208M250 0l-14 208M110 64h250M110 150l250-30"
        fill="none"
        stroke="var(--line)"
        strokeWidth="7"
      />
      {[24, 82, 140].map((top) => (
        <g key={top} transform={`translate(20 ${top})`}>
          <rect width="112" height="46" rx="10" fill="var(--bubble)" />
          <rect x="8" y="8" width="30" height="30" rx="6" fill="var(--line)" />
          <path d="M46 16h54M46 29h34" stroke="var(--strong-line)" strokeWidth="4" strokeLinecap="round" />
        </g>
      ))}
      <Pin x={206} y={54} isLit />
      <Pin x={282} y={104} />
      <Pin x={226} y={160} />
    </svg>
  );
}

function Pin({ x, y, isLit = false }: { x: number; y: number; isLit?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path
        d="M0 22C-12 8-16 0-16-6a16 16 0 0 1 32 0C16 0 12 8 0 22Z"
        fill={isLit ? "var(--lantern)" : "var(--ink)"}
      />
      <circle cy="-6" r="6" fill="var(--background)" />
    </g>
  );
}
