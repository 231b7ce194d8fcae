import { ArrowLeft, MailCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AuthMode } from "#web/lib/auth/auth-dialog.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { loadSupabase } from "#web/lib/backend/supabase.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { type Draft, type DraftFormProps, ForgotPasswordForm, SignInForm } from "./auth-forms.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

export interface AuthDialogProps {
  mode: AuthMode;
  onModeChange(mode: AuthMode): void;
  onClose(): void;
}

/**
 * signin ⇄ signup        both lead to forgot-password and back
 * forgot-password ─► link sent ─► signin
 * All of them close when a session appears, also one from another tab.
 */
export function AuthDialog({ mode, onModeChange, onClose }: AuthDialogProps) {
  const t = useTexts("auth");
  const { user } = useSession();
  const [draft, setDraft] = useState<Draft>({ fullName: "", email: "", password: "" });
  const [isLinkSent, setLinkSent] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const changeMode = (next: AuthMode) => {
    setLinkSent(false);
    onModeChange(next);
  };
  useFocusOnStep(content, `${mode} ${isLinkSent}`);
  useEffect(() => {
    if (user) onClose();
  }, [user, onClose]);
  useEffect(fetchAhead, []);

  const form: DraftFormProps = {
    draft,
    onDraftChange: (change) => setDraft((current) => ({ ...current, ...change })),
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        ref={content}
        closeLabel={t("dialog.close")}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focusOnStep(content.current);
        }}
      >
        {mode === "signin" && (
          <Step title={t("signIn.title")} description={t("signIn.description")}>
            <ProviderButtons />
            <SignInForm {...form} onModeChange={changeMode} onDone={onClose} />
            <Switch
              prompt={t("signIn.switchPrompt")}
              action={t("signIn.switchAction")}
              onSwitch={() => changeMode("signup")}
            />
          </Step>
        )}
        {mode === "signup" && (
          <Step title={t("signUp.title")} description={t("signUp.description")}>
            <ProviderButtons />
            <SignUpForm {...form} onModeChange={changeMode} onDone={onClose} />
            <Switch
              prompt={t("signUp.switchPrompt")}
              action={t("signUp.switchAction")}
              onSwitch={() => changeMode("signin")}
            />
          </Step>
        )}
        {mode === "forgot-password" &&
          (isLinkSent ? (
            <LinkSent email={draft.email.trim()} onBack={() => changeMode("signin")} />
          ) : (
            <Step
              before={<BackButton label={t("forgotPassword.back")} onBack={() => changeMode("signin")} />}
              title={t("forgotPassword.title")}
              description={t("forgotPassword.description")}
            >
              <ForgotPasswordForm {...form} onSent={() => setLinkSent(true)} />
            </Step>
          ))}
      </DialogContent>
    </Dialog>
  );
}

/** Loads what submitting the form needs while the form is filled in; a failure shows on submit. */
function fetchAhead(): void {
  const ignore = () => undefined;
  loadSupabase().catch(ignore);
  import("../../components/ui/toaster.tsx").catch(ignore);
}

interface StepProps {
  title: string;
  description: string;
  before?: ReactNode;
  children: ReactNode;
}

function Step({ title, description, before, children }: StepProps) {
  return (
    <div className="grid gap-5">
      {before}
      <div className="grid gap-1.5 pr-10">
        <DialogTitle tabIndex={-1} className="text-2xl outline-none">
          {title}
        </DialogTitle>
        <DialogDescription className="text-md text-muted">{description}</DialogDescription>
      </div>
      {children}
    </div>
  );
}

function Switch({ prompt, action, onSwitch }: { prompt: string; action: string; onSwitch(): void }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 text-md text-muted">
      {prompt}
      <Button variant="link" size="line" onClick={onSwitch}>
        {action}
      </Button>
    </p>
  );
}

function BackButton({ label, onBack }: { label: string; onBack(): void }) {
  return (
    <Button variant="ghost" className="-mt-3 -mb-2 -ml-4 justify-self-start" onClick={onBack}>
      <ArrowLeft aria-hidden className="size-4.5" />
      {label}
    </Button>
  );
}

function LinkSent({ email, onBack }: { email: string; onBack(): void }) {
  const t = useTexts("auth");
  return (
    <div className="grid gap-4">
      <MailCheck aria-hidden className="size-10 text-good" />
      <DialogTitle tabIndex={-1} className="pr-10 text-2xl outline-none">
        {t("forgotPassword.sent.title")}
      </DialogTitle>
      <DialogDescription className="wrap-anywhere">
        {t("forgotPassword.sent.description", { email })}
      </DialogDescription>
      <p className="text-md text-muted">{t("forgotPassword.sent.hint")}</p>
      <Button size="lg" className="mt-2 w-full" onClick={onBack}>
        {t("forgotPassword.sent.backToSignIn")}
      </Button>
    </div>
  );
}

function useFocusOnStep(content: React.RefObject<HTMLElement | null>, step: string): void {
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    focusOnStep(content.current);
  }, [step, content]);
}

/**
 * Focuses the first empty field. On a touch screen the title, because the keyboard would cover the other ways to sign
 * in.
 */
function focusOnStep(content: HTMLElement | null): void {
  const isTouch = window.matchMedia("(pointer: coarse)").matches;
  const fields = [...(content?.querySelectorAll("input") ?? [])];
  const field = isTouch ? undefined : fields.find((input) => input.value === "");
  const title = content?.querySelector<HTMLElement>("h2");
  (field ?? title)?.focus();
}
