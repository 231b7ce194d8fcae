import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { HydratedRouter } from "react-router/dom";
import { languageOfPath } from "#core/languages.ts";
import { nextTask } from "../lib/browser/next-task.ts";
import { startI18n } from "../lib/i18n/i18n-client.ts";
import { readPageData } from "../lib/site/page-data.ts";

export async function startApp(): Promise<void> {
  const i18n = await startI18n(languageOfPath(window.location.pathname), readPageData().data.texts);
  await nextTask();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <HydratedRouter />
        </I18nextProvider>
      </StrictMode>,
    );
  });
}
