import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import { Roofline } from "#web/components/roofline.tsx";
import { TextLink } from "#web/components/ui/text-link.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { CallToAction } from "./call-to-action.tsx";

const QUESTIONS = ["free", "speed", "flood", "city", "contact", "portal"] as const;

export function Questions() {
  const t = useTexts("landing");
  return (
    <section
      aria-labelledby="questions"
      className="far-below mx-auto grid max-w-6xl gap-x-16 gap-y-5 px-5 py-8 md:px-6 md:py-28 lg:grid-cols-[1fr_1.7fr]"
    >
      <h2 id="questions" className="text-3xl md:text-5xl">
        {t("faq.title")}
      </h2>
      <div className="border-t border-line">
        {QUESTIONS.map((question) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-4 py-2 text-lg font-semibold [&::-webkit-details-marker]:hidden">
              {t(`faq.items.${question}.question`)}
              <svg
                viewBox="0 0 24 24"
                aria-hidden="true"
                className="size-6 shrink-0 fill-none stroke-muted stroke-2 transition-transform duration-150 group-open:rotate-45"
              >
                <path d="M12 5v14M5 12h14" strokeLinecap="round" />
              </svg>
            </summary>
            <p className="max-w-prose pb-6 text-muted">
              {question === "speed" ? <HowFast /> : t(`faq.items.${question}.answer`)}
              {question === "speed" && (
                <TextLink to="/measured" className="mt-3 block w-fit">
                  {t("faq.items.speed.measured")}
                </TextLink>
              )}
            </p>
          </details>
        ))}
      </div>
    </section>
  );
}

function HowFast() {
  const t = useTexts("landing");
  const words = useWords("common");
  const interval = useWatchInterval();
  const kind = intervalKindOf(interval);
  if (kind === "promised") return t("faq.items.speed.answer");
  const sentence = intervalSentence(interval, words);
  return kind === "longer" ? t("faq.items.speed.answerAt", { interval: sentence }) : sentence;
}

export function Closing() {
  const t = useTexts("landing");
  const { user } = useSession();
  return (
    <section
      aria-labelledby="closing"
      className="far-below night relative overflow-hidden bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)]"
    >
      <Roofline isAsleep />
      <div className="relative mx-auto grid max-w-6xl justify-items-center gap-5 px-5 pt-10 pb-24 text-center md:pt-28 md:pb-72">
        <h2 id="closing" className="text-4xl md:text-6xl">
          {t("closing.title")}
        </h2>
        {!user && <p className="text-muted md:text-lg">{t("closing.text")}</p>}
        <CallToAction className="mt-2 w-full sm:w-auto">{t("closing.cta")}</CallToAction>
      </div>
    </section>
  );
}
