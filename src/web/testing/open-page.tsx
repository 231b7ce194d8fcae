/** Renders a page of a signed-in person as the application does, without the frame and the prerendered document. */
import { onlineManager, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { I18nextProvider } from "react-i18next";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import type { Namespace } from "#text/namespaces.ts";
import { AuthDialogProvider } from "../features/auth/auth-dialog-provider.tsx";
import { SessionProvider } from "../features/auth/session-provider.tsx";
import { createQueryClient } from "../lib/backend/query-client.ts";
import { closeDisk } from "../lib/changes/unsent.ts";
import { startI18n } from "../lib/i18n/i18n-client.ts";
import { loadTexts } from "../lib/i18n/load-texts.ts";
import { LanguageContext } from "../lib/i18n/use-texts.ts";
import type { PageHandle } from "../lib/site/page-handle.ts";
import type { Answerer } from "./answerer.ts";
import { PERSON } from "./person.ts";

const SESSION_S = 3_600;

/** What the auth service answers to a sign-in. */
export function sessionOf(user: object) {
  const expires_at = Math.floor(Date.now() / 1_000) + SESSION_S;
  const [header, payload] = [{ alg: "HS256" }, { sub: PERSON.id, exp: expires_at }].map((part) =>
    btoa(JSON.stringify(part)).replaceAll("=", ""),
  );
  return {
    access_token: `${header}.${payload}.c2ln`,
    refresh_token: "r",
    token_type: "bearer",
    expires_in: SESSION_S,
    expires_at,
    user: { ...user, aud: "authenticated", app_metadata: {}, user_metadata: {}, created_at: "2026-01-01" },
  };
}

export function signInForTest(user: object = PERSON): void {
  localStorage.setItem("sb-localhost-auth-token", JSON.stringify(sessionOf(user)));
}

export async function openPage(page: ReactNode, answerer: Answerer, address = "/") {
  vi.stubGlobal("fetch", answerer.fetch);
  const i18n = await startI18n("en", {});
  await loadTexts(i18n, "en", ["common", ...(await namespacesOf(address))]);
  const queries = createQueryClient();
  const shell = (
    <LanguageContext value="en">
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <AuthDialogProvider>
            <Suspense fallback={<div data-suspended />}>{page}</Suspense>
          </AuthDialogProvider>
        </SessionProvider>
      </QueryClientProvider>
    </LanguageContext>
  );
  const router = createMemoryRouter([{ path: "*", element: shell }], { initialEntries: [address] });
  // Awaited: what waits for its code within an `act` that is not would wait for ever.
  const view = await act(async () =>
    render(
      <I18nextProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nextProvider>,
    ),
  );
  return { ...view, queries, router };
}

const handles = import.meta.glob<PageHandle>("../app/routes/*.tsx", { import: "handle" });

/** The texts that the page's document brings with it. */
async function namespacesOf(address: string): Promise<readonly Namespace[]> {
  const name = /^\/([\w-]+)/.exec(address)?.[1];
  return (await handles[`../app/routes/${name}.tsx`]?.())?.namespaces ?? [];
}

/** Of a test file with pages of a signed-in person. */
export function setUpPages(): void {
  beforeEach(() => {
    holdTime();
    signInForTest();
  });
  afterEach(async () => {
    cleanup();
    await forgetTyped();
    closeDisk();
    onlineManager.setOnline(true);
    localStorage.clear();
    sessionStorage.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

/** What was typed and not saved stays in the tab. */
export async function forgetTyped(): Promise<void> {
  // The one that the page was rendered with, if the modules were loaded again.
  const { dropDrafts } = await import("../components/form/drafts.ts");
  dropDrafts();
}

/** Time stands still but for `pass`, and nothing is announced by realtime. */
export function holdTime(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "requestIdleCallback"],
  });
  isRealtimeConnected = false;
  vi.stubGlobal("WebSocket", TestSocket);
}

let isRealtimeConnected = false;

/** From now on realtime accepts every subscription, and then announces nothing. */
export function connectRealtime(): void {
  isRealtimeConnected = true;
}

class TestSocket {
  readyState = 0;
  onopen?: () => void;
  onmessage?: (message: { data: string }) => void;

  constructor() {
    setTimeout(() => {
      this.readyState = 1;
      this.onopen?.();
    });
  }

  send(text: string): void {
    if (!isRealtimeConnected) return;
    const [joinRef, ref, topic, event, payload] = JSON.parse(text);
    const followed: object[] = payload.config?.postgres_changes ?? [];
    const response = { postgres_changes: followed.map((one, id) => ({ ...one, id })) };
    const reply = { status: "ok", response: event === "phx_join" ? response : {} };
    const data = JSON.stringify([joinRef, ref, topic, "phx_reply", reply]);
    setTimeout(() => this.onmessage?.({ data }));
  }

  close(): void {}
}

/** Parts that load on demand are loaded meanwhile. */
export async function pass(ms: number): Promise<void> {
  const step = ms / STEPS;
  for (let count = 0; count < STEPS; count++) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(step);
      await vi.dynamicImportSettled();
    });
  }
}

const STEPS = 6;
