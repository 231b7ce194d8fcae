import type { ReactNode } from "react";
import { intervalKindOf, intervalLabel, intervalWords } from "#text/watch-interval.ts";
import { linkVariants } from "#web/components/ui/text-link.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { FindsLink } from "../../components/finds-link.tsx";
import { Roofline } from "../../components/roofline.tsx";
import { CallToAction } from "./call-to-action.tsx";

/** Dark in both themes: the promise on one side, the demo chat on the other. */
export function Hero({ chat }: { chat: ReactNode }) {
  const t = useTexts("landing");
  const isPromised = intervalKindOf(useWatchInterval()) === "promised";
  const { user } = useSession();
  return (
    <section className="night relative overflow-hidden bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)]">
      <Stars />
      <Roofline />
      <div className="relative mx-auto grid max-w-6xl grid-cols-1 gap-x-12 px-5 pt-17 pb-10 md:px-6 md:pt-28 lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-center lg:pb-28">
        <div>
          <h1 className="text-title tracking-title">
            {t("hero.titleFirst")} <br />
            {t("hero.titleSecond")}
          </h1>
          <p className="mt-4 max-w-136 text-muted md:mt-6 md:text-lg">
            {isPromised ? t("hero.lead") : t("hero.leadAt")}
          </p>
          <CallToAction className="mt-5 w-full sm:w-auto md:mt-8">{t("hero.cta")}</CallToAction>
          <div className="mt-3 grid md:mt-5">
            <Facts />
            {user && (
              <FindsLink className={cn(linkVariants({ size: "line" }), "col-start-1 row-start-1")}>
                {t("hero.finds")}
              </FindsLink>
            )}
          </div>
        </div>
        {chat}
      </div>
    </section>
  );
}

/** For guests. Signed-in people get a link in the same place, so that nothing moves. */
function Facts() {
  const t = useTexts("landing");
  const { user } = useSession();
  return (
    <ul
      aria-label={t("hero.facts.label")}
      className={cn(
        "col-start-1 row-start-1 flex min-h-11 flex-wrap content-start gap-x-4 gap-y-0.5 text-sm text-muted md:text-md",
        user && "invisible",
      )}
    >
      <Fact>{t("hero.facts.price")}</Fact>
      <Fact>{t("hero.facts.signUp")}</Fact>
      <Fact>
        <IntervalFact />
      </Fact>
    </ul>
  );
}

function IntervalFact() {
  const t = useTexts("landing");
  const words = useWords("common");
  const interval = useWatchInterval();
  const kind = intervalKindOf(interval);
  if (kind === "promised") return t("hero.facts.interval");
  if (kind === "mail") return intervalLabel(interval, words);
  return t("hero.facts.intervalAt", { every: intervalWords(interval, words) });
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden className="size-1 rounded-full bg-current" />
      {children}
    </li>
  );
}

/** A few fixed stars in the margins and between header and headline, away from text and buttons. */
function Stars() {
  return (
    <svg
      viewBox="0 0 1440 500"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 top-0 hidden h-125 w-full md:block"
    >
      <path
        d="M36 120h1M88 236h1M44 352h1M122 420h1M150 92h1M268 104h1M412 86h1M548 100h1M676 88h1M946 90h1M1082 102h1M1210 84h1M1318 112h1M1386 190h1M1334 286h1M1402 372h1"
        stroke="#cdd8f2"
        strokeWidth="2.4"
        strokeLinecap="round"
        opacity="0.5"
      />
    </svg>
  );
}
