import { useCallback, useEffect, useRef, useState } from "react";
import { localizedPath } from "#core/languages.ts";
import type { AuthCallback } from "#web/lib/auth/auth-callback.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useLinkInAddress } from "#web/lib/auth/use-link-in-address.ts";
import { authDataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { AUTH_RETRY_MS } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { isReadableToken, type LinkProblem, problemInAddress, problemOfToken } from "./link-problem.ts";
import { endRecovery, holdsRecovery, loadRecovery } from "./recovery-session.ts";

/** Whose password the form sets, and whether the right comes from the link or from the session of the page. */
export interface ResetAccount {
  id: string;
  email: string;
  isOfLink: boolean;
}

/**
 * processing ─► problem        an error in the address, or nothing at all
 *            ├─► continue      a one-time token waits for a click, so that a mail scanner does not use it up
 *            └─► verifying     a session in the address, one from before a reload, or the session of the page
 * continue ─► verifying
 * verifying ─► problem         the token was refused
 *           ├─► form
 *           ├─► unverified     the token was accepted, but there is no user: try again after 2 s, then go home
 *           └─► home           no token, and the user of the page's session is gone
 * form ─► unverified or home   the session ended in the meantime
 */
export type ResetStep =
  | { name: "processing" | "continue" | "verifying" | "unverified" }
  | { name: "form"; account: ResetAccount }
  | { name: "problem"; problem: LinkProblem; retry: (() => void) | null };

type Token = Extract<AuthCallback, { kind: "session" | "token" }>;

export function useResetLink(): { step: ResetStep; goOn(): void } {
  const link = useLinkInAddress();
  const { user, isUnknown } = useSession();
  const [step, setStep] = useState<ResetStep>({ name: "processing" });
  const verify = useVerifyPerson(setStep);
  useEndOnLeaving();

  const spend = useCallback(
    async (token: Token) => {
      setStep({ name: "verifying" });
      const problem = await takeToken(token);
      if (problem === null) return verify({ isOfLink: true });
      const retry = problem === "unexpected" ? () => void spend(token) : null;
      setStep({ name: "problem", problem, retry });
    },
    [verify],
  );

  useEffect(() => {
    if (!link) return;
    if (link.kind === "error") setStep({ name: "problem", problem: problemInAddress(link), retry: null });
    else if (link.kind === "token") setStep({ name: "continue" });
    else if (link.kind === "session" && link.type === "recovery") void spend(link);
    // A link for signing in, which is not for this page.
    else setStep({ name: "problem", problem: "invalid", retry: null });
  }, [link, spend]);

  // Without a link, a signed-in person may set a new password.
  const isBare = link === null && !isUnknown && step.name === "processing";
  useEffect(() => {
    if (!isBare) return;
    if (holdsRecovery()) void verify({ isOfLink: true });
    else if (user) void verify({ isOfLink: false });
    else setStep({ name: "problem", problem: "missing", retry: null });
  }, [isBare, user, verify]);

  const isLeft = step.name === "form" && !step.account.isOfLink && !isUnknown && user === null;
  useEffect(() => {
    if (isLeft) void verify({ isOfLink: false });
  }, [isLeft, verify]);

  const goOn = () => {
    if (link?.kind === "token") void spend(link);
  };
  return { step, goOn };
}

/** The session of a link ends when the page is left. */
function useEndOnLeaving(): void {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      // React's strict mode unmounts and mounts again at once.
      queueMicrotask(() => {
        if (!isHere.current) void endRecovery();
      });
    };
  }, []);
}

async function takeToken(token: Token): Promise<LinkProblem | null> {
  const isWhole = token.kind === "token" || (token.refreshToken !== "" && isReadableToken(token.accessToken));
  if (!isWhole) return "sessionFailed";
  try {
    const { auth } = await loadRecovery();
    const { user } = authDataOf(
      token.kind === "token"
        ? await auth.verifyOtp({ token_hash: token.tokenHash, type: "recovery" })
        : await auth.setSession({ access_token: token.accessToken, refresh_token: token.refreshToken }),
    );
    return user ? null : "noUser";
  } catch (error) {
    const problem = problemOfToken(error);
    if (problem === "unexpected") logProblem("The reset link could not be checked", error);
    return problem;
  }
}

/** Asks the server for the user: the user of a stored session may be gone. */
function useVerifyPerson(setStep: (step: ResetStep) => void) {
  const t = useTexts("auth");
  const language = useLanguage();
  const navigate = useNavigate();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(
    async ({ isOfLink }: { isOfLink: boolean }) => {
      setStep({ name: "verifying" });
      let account = await findAccount(isOfLink);
      if (!account && isOfLink) {
        setStep({ name: "unverified" });
        await new Promise((resolve) => setTimeout(resolve, AUTH_RETRY_MS));
        account = await findAccount(isOfLink);
      }
      if (!isHere.current) return;
      if (account) {
        setStep({ name: "form", account });
        return;
      }
      setStep({ name: "unverified" });
      const said = isOfLink ? "failed" : "required";
      const { title, description } = t(`reset.${said}`, { returnObjects: true });
      notify({ kind: "destructive", title, description });
      await navigate(localizedPath("/", language), { replace: true });
    },
    [setStep, t, language, navigate],
  );
}

async function findAccount(isOfLink: boolean): Promise<ResetAccount | null> {
  try {
    const { auth } = await (isOfLink ? loadRecovery() : loadSupabase());
    const { id, email = "" } = authDataOf(await auth.getUser()).user;
    return { id, email, isOfLink };
  } catch (error) {
    logProblem("The user could not be verified", error);
    return null;
  }
}
