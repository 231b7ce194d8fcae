import { Roofline } from "../../components/roofline.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useCallToAction } from "../../lib/use-call-to-action.ts";
import { useTexts } from "../../lib/use-texts.ts";

export function Closing() {
  const t = useTexts("landing");
  const callToAction = useCallToAction();
  return (
    <section
      aria-labelledby="closing"
      className="far-below night relative overflow-hidden bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)]"
    >
      <Roofline isAsleep />
      <div className="relative mx-auto grid max-w-6xl justify-items-center gap-5 px-5 pt-20 pb-52 text-center md:pt-28 md:pb-72">
        <h2 id="closing" className="text-4xl md:text-6xl">
          {t("closing.title")}
        </h2>
        <p className="text-muted md:text-lg">{t("closing.text")}</p>
        <Button variant="lantern" size="lg" className="mt-2 w-full sm:w-auto" onClick={callToAction}>
          {t("closing.cta")}
        </Button>
      </div>
    </section>
  );
}
