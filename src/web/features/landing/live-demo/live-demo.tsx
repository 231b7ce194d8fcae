import { type MouseEvent, useEffect, useMemo, useRef } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { DEMO_PLACE_ID } from "#web/lib/site/constants.ts";
import { isPrerendering } from "#web/lib/site/env.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { DemoChat } from "./demo-chat.tsx";
import type { DemoTexts } from "./demo-props.ts";

/**
 * The element of the demo. The demo is a React root of its own, so that it can start before hydration and go on after
 * it (decision 0013): only the demo renders inside.
 */
export function LiveDemo() {
  const t = useTexts("landing");
  const common = useTexts("common");
  const home = useTexts("home");
  const texts: DemoTexts = useMemo(
    () => ({
      ...t("demo", { returnObjects: true }),
      ago: common("ago", { returnObjects: true }),
      types: home("types", { returnObjects: true }),
    }),
    [t, common, home],
  );
  const language = useLanguage();
  const place = useDemoIn(texts);
  const navigate = useNavigate();
  const attributes = {
    id: DEMO_PLACE_ID,
    "data-texts": JSON.stringify(texts),
    className: "mt-9 min-h-144 lg:mt-0 lg:min-h-152",
  };
  if (isPrerendering) {
    return (
      <div {...attributes}>
        <DemoChat texts={texts} language={language} userId={undefined} />
      </div>
    );
  }
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.origin !== window.location.origin || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(link.pathname);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are pressed, not it
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link pressed by key is clicked
    <div
      ref={place}
      {...attributes}
      onClick={follow}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: what is there already is left to the demo
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}

function useDemoIn(texts: DemoTexts) {
  const place = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const { user, isUnknown } = useSession();
  const userId = user?.id;
  useEffect(() => {
    const element = place.current;
    if (isUnknown || !element) return;
    let isGone = false;
    loadDemo().then(
      ({ renderDemo }) => isGone || renderDemo(element, { texts, language, userId }),
      (error: unknown) => logProblem("The demo could not be loaded", error),
    );
    return () => {
      isGone = true;
    };
  }, [texts, language, userId, isUnknown]);
  useEffect(() => {
    const element = place.current;
    return () => {
      loadDemo().then(
        ({ removeDemo }) => element && removeDemo(element),
        () => undefined,
      );
    };
  }, []);
  return place;
}

const loadDemo = () => import("./render-demo.tsx");
