import cyrillicFont from "@fontsource-variable/onest/files/onest-cyrillic-wght-normal.woff2?url";
import latinFont from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Links, Outlet, Scripts, ScrollRestoration } from "react-router";
import common from "#locales/en/common.json";
import { PendingBar } from "../components/pending-bar.tsx";
import { ToastHost } from "../components/toast-host.tsx";
import { AuthDialogProvider } from "../features/auth/auth-dialog-provider.tsx";
import { ResumeAfterSignIn } from "../features/auth/resume-after-sign-in.tsx";
import { SessionProvider } from "../features/auth/session-provider.tsx";
import { CookieNotice } from "../features/frame/cookie-notice.tsx";
import { SiteFooter } from "../features/frame/site-footer.tsx";
import { SiteHeader } from "../features/frame/site-header.tsx";
import { bootScript } from "../lib/boot-script.ts";
import { registerEnglish } from "../lib/english.ts";
import { isPrerendering } from "../lib/env.ts";
import { usePageHandle } from "../lib/use-page-handle.ts";
import { useLanguage, useSurfaces, useTexts } from "../lib/use-texts.ts";
import { CrashPage } from "./crash-page.tsx";
import { PageDataScript } from "./page-data-script.tsx";
import { Styles } from "./styles.tsx";
import { useArrival } from "./use-arrival.ts";

registerEnglish("common", common);

export function Layout({ children }: { children: ReactNode }) {
  const language = useLanguage();
  useSurfaces(["common", ...usePageHandle().surfaces]);
  return (
    // The script in the head sets the chosen theme on this element before React sees it.
    <html lang={language} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <script
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own source, needed before the first paint
          dangerouslySetInnerHTML={{ __html: isPrerendering ? bootScript() : "" }}
        />
        <link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={latinFont} />
        {language === "ru" && (
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
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <AuthDialogProvider>
          <Frame />
          <ResumeAfterSignIn />
        </AuthDialogProvider>
      </SessionProvider>
      <PendingBar />
      <ToastHost />
    </QueryClientProvider>
  );
}

function Frame() {
  const t = useTexts("common");
  const { startsAtNight = false } = usePageHandle();
  useArrival();
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-xl bg-ink px-4 py-3 font-semibold text-background focus:translate-y-0"
      >
        {t("skipToContent")}
      </a>
      <SiteHeader isNight={startsAtNight} />
      <main id="content" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      <SiteFooter />
      <CookieNotice />
    </>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <CrashPage error={error} />;
}
