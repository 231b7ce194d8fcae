import type { ReactNode } from "react";
import { Roofline } from "./roofline.tsx";

/** A card above the roofline at night: the pages that mailed links open. */
export function NightScene({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="night relative grid min-h-[88vh] overflow-hidden bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)] px-4 pt-24 pb-44 md:pt-32 md:pb-64">
      <Roofline isAsleep />
      <section className="relative m-auto grid w-full max-w-md gap-5 rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">
        <h1 className="text-2xl">{title}</h1>
        {children}
      </section>
    </div>
  );
}
