import cyrillicFont from "@fontsource-variable/onest/files/onest-cyrillic-wght-normal.woff2?url";
import latinFont from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  UNSAFE_DataRouterContext,
  useLocation,
  useNavigation,
} from "react-router";
import { languageOfPath } from "#core/languages.ts";
import { CookieNotice } from "#web/features/layout/cookie-notice.tsx";
import { SiteFooter } from "#web/features/layout/site-footer.tsx";
import { SiteHeader } from "#web/features/layout/site-header.tsx";
import { Crash, PageBoundary } from "../components/crash.tsx";
import { ConnectionNotice } from "../components/parts/connection-notice.tsx";
import { PartFailure } from "../components/parts/part-failure.tsx";
import { PlainToasts } from "../components/parts/plain-toasts.tsx";
import { AuthDialogProvider } from "../features/auth/auth-dialog-provider.tsx";
import { ResumeAfterSignIn, SessionProvider } from "../features/auth/session-provider.tsx";
import { bootScript } from "../hydration/boot-script.ts";
import { markHydrated, replayClick } from "../hydration/pre-hydration.ts";
import { useSession } from "../lib/auth/session.ts";
import { createQueryClient } from "../lib/backend/query-client.ts";
import { cn } from "../lib/browser/class-names.ts";
import { onFirstToast } from "../lib/browser/toast.ts";
import {
  LanguageContext,
  useLanguage,
  useNamespaces,
  useTextLoading,
  useTexts,
} from "../lib/i18n/use-texts.ts";
import { isInApp } from "../lib/mini-app/is-in-app.ts";
import { guardRoutes } from "../lib/parts/guard-routes.ts";
import { loadAgain } from "../lib/parts/load-again.ts";
import { usePageFailure } from "../lib/parts/page-failure.ts";
import type { LoadFailure } from "../lib/parts/reason-of-failure.ts";
import { builtSiteOrigin, isPrerendering } from "../lib/site/env.ts";
import { PAGE_DATA_ID, pageDataJson, readPageData } from "../lib/site/page-data.ts";
import { usePageHandle } from "../lib/site/page-handle.ts";
import css from "./app.css?inline";
import { useOfflineStore } from "./offline/use-offline-store.ts";
import { useNavigationEffects } from "./use-navigation-effects.ts";

export function Layout({ children }: { children: ReactNode }) {
  return (
    <LanguageContext value={languageOfPath(useLocation().pathname)}>
      <Page>{children}</Page>
    </LanguageContext>
  );
}

function Page({ children }: { children: ReactNode }) {
  const language = useLanguage();
  useNamespaces(["common", ...usePageHandle().namespaces]);
  useGuardedRoutes();
  useEffect(markHydrated, []);
  // Inside Telegram our font comes after the first home (AppFrame): until then the phone's own has its measures.
  const isApp = isInApp(useLocation().pathname);
  return (
    // The script in the head sets the chosen theme on this element before React sees it.
    <html lang={language} data-font={isApp ? "later" : undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <script
          suppressHydrationWarning
          // Not by isPrerendering: the build would leave its source among the files that browsers load.
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own source, needed before the first paint
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? bootScript() : "" }}
        />
        {!isApp && (
          <link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={latinFont} />
        )}
        {!isApp && language === "ru" && (
          <link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={cyrillicFont} />
        )}
        <Links />
        <Styles />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <meta name="theme-color" content="#0b1220" />
      </head>
      <body>
        {children}
        <PageDataScript />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <AuthDialogProvider>
          <Frame />
          <ResumeAfterSignIn />
          <ReplayEarlyClick />
        </AuthDialogProvider>
      </SessionProvider>
      <PendingBar />
      <ConnectionNotice />
      <ToastHost />
    </QueryClientProvider>
  );
}

function Frame() {
  const t = useTexts("common");
  const { startsAtNight = false } = usePageHandle();
  // Something that is loaded ahead may fail too, and nobody waits for it.
  const isWaiting = useIsPageWaiting();
  const pageFailure = usePageFailure();
  const failure = isWaiting ? pageFailure : null;
  useNavigationEffects();
  useOfflineStore();
  const { pathname } = useLocation();
  // The pages inside Telegram have a frame of their own.
  if (isInApp(pathname)) return <Outlet />;
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-xl bg-ink px-4 py-3 font-semibold text-background focus:translate-y-0"
      >
        {t("skipToContent")}
      </a>
      <SiteHeader isNight={startsAtNight} />
      <main id="content" tabIndex={-1} className="grow outline-none">
        {failure && <NextPageFailure reason={failure} isNight={startsAtNight} />}
        {/* The page stays mounted: a person who turns back finds it as it was. */}
        <div className="contents" hidden={failure !== null}>
          <PageBoundary>
            <Outlet />
          </PageBoundary>
        </div>
      </main>
      <SiteFooter />
      <CookieNotice />
    </>
  );
}

interface NextPageFailureProps {
  reason: LoadFailure;
  isNight: boolean;
}

/** In the place of a page that cannot be loaded. The header of some pages lies over their content. */
function NextPageFailure({ reason, isNight }: NextPageFailureProps) {
  const place = useRef<HTMLDivElement>(null);
  // The link may have been in the footer. Newer browsers return a promise, which React would take for a clean-up.
  useEffect(() => void place.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div
      ref={place}
      className={cn("grid min-h-[70vh] content-start px-4 pt-10", isNight && "night bg-background pt-28")}
    >
      <PartFailure reason={reason} />
    </div>
  );
}

let areRoutesGuarded = false;

/** While rendering, because a link may be followed before any effect has run. */
function useGuardedRoutes(): void {
  const context = useContext(UNSAFE_DataRouterContext);
  const manifest = isPrerendering ? undefined : window.__reactRouterManifest;
  if (areRoutesGuarded || !context || !manifest) return;
  areRoutesGuarded = true;
  guardRoutes(context.router.routes, manifest);
}

function ReplayEarlyClick() {
  const { isUnknown } = useSession();
  useEffect(() => replayClick({ isSessionKnown: !isUnknown }), [isUnknown]);
  return null;
}

/** For errors of the frame itself. */
export function ErrorBoundary({ error }: { error: unknown }) {
  return (
    <main>
      <Crash error={error} />
    </main>
  );
}

/** A bar along the top while the next page loads; fast loads never show it. */
function PendingBar() {
  if (!useIsPageWaiting()) return null;
  return <div aria-hidden className="fixed inset-x-0 top-0 z-50 h-1 animate-pending bg-lantern" />;
}

function useIsPageWaiting(): boolean {
  const isNavigating = useNavigation().state !== "idle";
  return useTextLoading() || isNavigating;
}

/** The style sheet is inside the page: as a file, its 8 kB would cost the first paint a round trip. */
function Styles() {
  if (import.meta.env.DEV) return <style>{css}</style>;
  return (
    <style
      id={STYLES_ID}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet
      dangerouslySetInnerHTML={{ __html: isPrerendering ? css : cssOfPage }}
    />
  );
}

const STYLES_ID = "styles";

/** The crash page replaces the document, with the style element that the server sent. */
const cssOfPage = isPrerendering ? "" : (document.getElementById(STYLES_ID)?.textContent ?? "");

/** The page's texts are inside its HTML, so that the first render in the browser needs no file. */
function PageDataScript() {
  const { i18n } = useTranslation();
  const language = useLanguage();
  const namespaces = ["common", ...usePageHandle().namespaces];
  const texts = Object.fromEntries(
    namespaces.map((namespace) => [namespace, i18n.getResourceBundle(language, namespace)]),
  );
  const json = isPrerendering ? pageDataJson({ siteOrigin: builtSiteOrigin, texts }) : readPageData().json;
  return (
    <script
      id={PAGE_DATA_ID}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with its angle brackets escaped
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}

type Toaster = ComponentType<{ label: string; closeLabel: string }>;

/** Loads the toast library with the first toast. Until it is loaded, a failed load shows toasts without it. */
function ToastHost() {
  const t = useTexts("common");
  const [loaded, setLoaded] = useState<{ Toaster: Toaster }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(
    () =>
      onFirstToast(() => {
        void loadAgain(
          () => import("../components/ui/toaster.tsx"),
          () => setFailed(true),
        ).then(({ Toaster }) => setLoaded({ Toaster }));
      }),
    [],
  );
  if (hasFailed && !loaded) return <PlainToasts label={t("toasts.region")} closeLabel={t("dialog.close")} />;
  return loaded ? <loaded.Toaster label={t("toasts.region")} closeLabel={t("dialog.close")} /> : null;
}
