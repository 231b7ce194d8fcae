import { CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLinkInAddress } from "#web/lib/auth/use-link-in-address.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import type { AddressLink } from "#web/lib/backend/typed-database.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { NightScene } from "../../components/night-scene.tsx";
import { Button } from "../../components/ui/button.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { AccountFacts } from "./account-facts.tsx";
import { type Answered, acceptAddress, describeLink, refuseAddress } from "./address-calls.ts";

const BUTTON = "min-h-12 w-full";

/**
 * Opened by the link of a sign-up or of an added address. Opening it changes nothing, because mail scanners open every link:
 * the person reads what the account is, and answers by a button.
 */
export function ConfirmEmail() {
  const link = useLinkInAddress();
  if (link === undefined) return <Checking />;
  if (link?.kind === "error") return <Problem problem="expired" />;
  return link?.kind === "token" ? <Link token={link.tokenHash} /> : <Problem problem="missing" />;
}

function Link({ token }: { token: string }) {
  const { isBusy, data, error, run } = useAction({ run: describeLink, failure: null });
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    run(token);
  }, [run, token]);
  if (data) return <Question token={token} link={data} />;
  if (data === null) return <Problem problem="expired" />;
  if (error === null) return <Checking />;
  return <Problem problem="unexpected" retry={{ isBusy, act: () => run(token) }} />;
}

type Step = "question" | "sure";

function Question({ token, link }: { token: string; link: AddressLink }) {
  const t = useTexts("auth");
  const [step, setStep] = useState<Step>("question");
  const answer = useAction({
    run: (isMine: boolean) => (isMine ? acceptAddress(token, link) : refuseAddress(token, link)),
    failure: null,
  });
  const { data, error, isBusy, pendingInput, run } = answer;
  const problem = data === null ? "expired" : error && problemOf(error);
  useFocusOnHeading(data ?? problem ?? step);
  if (data) return <Done answered={data} email={link.email} />;
  if (problem !== null && problem !== "unexpected") return <Problem problem={problem} />;
  const failed = problem && <FailureNotice message={t("confirmEmail.problem.unexpected")} />;
  const refuse = () => (link.kind === "signup" ? setStep("sure") : run(false));
  if (step === "sure") {
    return (
      <NightScene title={t("confirmEmail.sure.title")}>
        <p className="text-muted wrap-anywhere">
          {t("confirmEmail.sure.description", { email: link.email })}
        </p>
        {failed}
        <BusyButton
          variant="destructive"
          size="lg"
          className={BUTTON}
          isBusy={isBusy}
          busyText={t("confirmEmail.submitting")}
          onClick={() => run(false)}
        >
          {t("confirmEmail.sure.submit")}
        </BusyButton>
        <Button variant="ghost" size="lg" className={BUTTON} onClick={() => setStep("question")}>
          {t("confirmEmail.sure.back")}
        </Button>
      </NightScene>
    );
  }
  return (
    <NightScene title={t(`confirmEmail.question.${link.kind}.title`)}>
      <p className="text-muted wrap-anywhere">
        {t(`confirmEmail.question.${link.kind}.description`, { email: link.email })}
      </p>
      <AccountFacts link={link} />
      {failed}
      <div className="grid gap-3">
        <BusyButton
          variant="lantern"
          size="lg"
          className={BUTTON}
          isBusy={isBusy && pendingInput === true}
          busyText={t("confirmEmail.submitting")}
          onClick={() => run(true)}
        >
          {t("confirmEmail.yes")}
        </BusyButton>
        <BusyButton
          variant="outline"
          size="lg"
          className={BUTTON}
          isBusy={isBusy && pendingInput === false}
          busyText={t("confirmEmail.submitting")}
          onClick={refuse}
        >
          {t("confirmEmail.no")}
        </BusyButton>
      </div>
      <p className="text-md text-muted">{t(`confirmEmail.question.${link.kind}.hint`)}</p>
    </NightScene>
  );
}

function Done({ answered, email }: { answered: Answered; email: string }) {
  const t = useTexts("auth");
  const isOwn = answered === "signup" || answered === "email_change";
  return (
    <NightScene title={t(`confirmEmail.done.${answered}.title`)}>
      <p role="status" className="flex gap-3 text-muted">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
        <span className="min-w-0 wrap-anywhere">
          {t(`confirmEmail.done.${answered}.description`, { email })}
        </span>
      </p>
      {isOwn ? <ProfileLink variant="lantern" /> : <HomeLink variant="lantern" />}
    </NightScene>
  );
}

function Checking() {
  const t = useTexts("auth");
  return (
    <NightScene title={t("confirmEmail.pageTitle")}>
      <p role="status" className="text-muted">
        {t("confirmEmail.checking")}
      </p>
    </NightScene>
  );
}

type ProblemName = "expired" | "taken" | "missing" | "unexpected";

function Problem({ problem, retry }: { problem: ProblemName; retry?: { isBusy: boolean; act(): void } }) {
  const t = useTexts("auth");
  useFocusOnHeading(problem);
  return (
    <NightScene title={t("confirmEmail.problem.title")}>
      <FailureNotice message={t(`confirmEmail.problem.${problem}`)} />
      {retry && (
        <BusyButton
          variant="lantern"
          size="lg"
          isBusy={retry.isBusy}
          busyText={t("confirmEmail.submitting")}
          onClick={retry.act}
        >
          {t("confirmEmail.problem.tryAgain")}
        </BusyButton>
      )}
      <ProfileLink variant={retry ? "ghost" : "lantern"} />
      <HomeLink variant="ghost" />
    </NightScene>
  );
}

type Variant = "lantern" | "ghost";

function ProfileLink({ variant }: { variant: Variant }) {
  const t = useTexts("auth");
  return (
    <PageLink to="/profile" variant={variant}>
      {t("confirmEmail.done.profile")}
    </PageLink>
  );
}

function HomeLink({ variant }: { variant: Variant }) {
  const t = useTexts("auth");
  return (
    <PageLink to="/" variant={variant}>
      {t("confirmEmail.problem.home")}
    </PageLink>
  );
}

function PageLink({
  to,
  variant,
  children,
}: {
  to: "/profile" | "/";
  variant: Variant;
  children: ReactNode;
}) {
  return (
    <Button variant={variant} size="lg" asChild>
      <LocalLink to={to}>{children}</LocalLink>
    </Button>
  );
}

function problemOf(error: Error): ProblemName {
  const code = codeOf(error);
  if (code === "email_exists") return "taken";
  return code === "otp_expired" || code === "validation_failed" ? "expired" : "unexpected";
}

/** The clicked button is gone. */
function useFocusOnHeading(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [step]);
}
