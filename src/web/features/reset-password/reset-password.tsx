import { CircleAlert, LoaderCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import { useAuthDialog } from "#web/lib/auth/auth-dialog.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { Button } from "../../components/ui/button.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import type { LinkProblem } from "./link-problem.ts";
import { ResetForm } from "./reset-form.tsx";
import { type ResetStep, useResetLink } from "./use-reset-link.ts";

export function ResetPassword() {
  const t = useTexts("auth");
  const { step, goOn } = useResetLink();
  useFocusOnStep(step);
  switch (step.name) {
    case "processing":
    case "verifying":
      return (
        <NightScene title={t("reset.pageTitle")}>
          <Waiting text={step.name === "processing" ? t("reset.processing") : t("reset.verifying")} />
        </NightScene>
      );
    case "continue":
      return (
        <NightScene title={t("reset.continue.title")}>
          <p className="text-muted">{t("reset.continue.description")}</p>
          <Button variant="lantern" size="lg" className="w-full" onClick={goOn}>
            {t("reset.continue.submit")}
          </Button>
        </NightScene>
      );
    case "problem":
      return <Problem problem={step.problem} retry={step.retry} />;
    case "unverified":
      return (
        <NightScene title={t("reset.unverified.title")}>
          <FailureNotice message={t("reset.unverified.description")} />
        </NightScene>
      );
    case "form":
      return <ResetForm account={step.account} />;
  }
}

function Waiting({ text }: { text: string }) {
  return (
    <p role="status" className="flex items-center gap-3 text-muted">
      <LoaderCircle aria-hidden className="size-6 shrink-0 motion-safe:animate-spin" />
      {text}
    </p>
  );
}

function Problem({ problem, retry }: { problem: LinkProblem; retry: (() => void) | null }) {
  const t = useTexts("auth");
  const { open } = useAuthDialog();
  return (
    <NightScene title={t("reset.problem.title")}>
      <p className="-mt-3 text-muted">{t("reset.problem.description")}</p>
      <FailureNotice message={t(`reset.linkErrors.${problem}`)} />
      {retry ? (
        <Button variant="lantern" size="lg" onClick={retry}>
          {t("reset.problem.tryAgain")}
        </Button>
      ) : (
        <p className="flex gap-3 text-md text-muted">
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {t("reset.problem.hint")}
        </p>
      )}
      <div className="grid gap-2">
        <Button
          variant={retry ? "outline" : "lantern"}
          size="lg"
          className="w-full"
          onClick={() => open("forgot-password")}
        >
          {t("reset.problem.requestNew")}
        </Button>
        <Button variant="ghost" size="lg" asChild>
          <LocalLink to="/">{t("reset.problem.returnHome")}</LocalLink>
        </Button>
      </div>
    </NightScene>
  );
}

/** Moves the focus to the new step: the clicked button is gone. */
function useFocusOnStep({ name }: ResetStep): void {
  const shown = useRef(name);
  useEffect(() => {
    const isWaiting = name === "processing" || name === "verifying";
    if (isWaiting || shown.current === name) return;
    shown.current = name;
    const field = document.querySelector<HTMLElement>("main form input:not([hidden])");
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    (field ?? heading)?.focus({ preventScroll: true });
  }, [name]);
}
