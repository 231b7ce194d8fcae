import { intervalKindOf } from "#text/watch-interval.ts";
import { Closing } from "#web/features/landing/questions.tsx";
import { PageMeta } from "../../components/page-meta.tsx";
import { AfterAlert } from "../../features/landing/after-alert.tsx";
import { Alert } from "../../features/landing/alert.tsx";
import { Hero } from "../../features/landing/hero.tsx";
import { LiveDemo } from "../../features/landing/live-demo/live-demo.tsx";
import { Questions } from "../../features/landing/questions.tsx";
import { Steps } from "../../features/landing/steps.tsx";
import { useWatchInterval } from "../../lib/backend/use-watch-interval.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["landing", "home"], startsAtNight: true };

export default function HomePage() {
  const t = useTexts("landing");
  const isPromised = intervalKindOf(useWatchInterval()) === "promised";
  return (
    <>
      <PageMeta
        path="/"
        title={isPromised ? t("meta.title") : t("meta.titleAt")}
        description={isPromised ? t("meta.description") : t("meta.descriptionAt")}
      />
      <Hero chat={<LiveDemo />} />
      <Steps />
      <Alert />
      <AfterAlert />
      <Questions />
      <Closing />
    </>
  );
}
