import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { type AuthCallback, parseAuthCallback, withoutCallback } from "../../lib/auth-callback.ts";
import { AUTH_RETRY_MS } from "../../lib/constants.ts";
import { logProblem } from "../../lib/log.ts";
import { useSession } from "../../lib/session.ts";
import { authDataOf, loadSupabase } from "../../lib/supabase.ts";
import { notify } from "../../lib/toast.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";
import { type LinkProblem, problemInAddress, problemOfToken } from "./link-problem.ts";

/**
 * processing ─► problem        an error in the address, or nothing at all
 *            ├─► continue      a one-time token waits for the person, so that a mail scanner spends nothing
 *            └─► verifying     a session in the address, or one that was here
 * continue ─► verifying
 * verifying ─► problem         the token was not taken
 *           ├─► form
 *           ├─► unverified     the token was taken, the person not found: asked again after 2 s, then home
 *           └─► home           no token, and the session that was here has no person any more
 * form ─► unverified or home   the session ended meanwhile
 */
export type ResetStep =
  | { name: "processing" | "continue" | "verifying" | "unverified" | "form" }
  | { name: "problem"; problem: LinkProblem; retry: (() => void) | null };

type Token = Extract<AuthCallback, { kind: "session" | "token" }>;

export function useResetLink(): { step: ResetStep; goOn(): void } {
  const link = useLinkInAddress();
  const { user, isLoading } = useSession();
  const [step, setStep] = useState<ResetStep>({ name: "processing" });
  const verify = useVerifyPerson(setStep);

  const spend = useCallback(
    async (token: Token) => {
      setStep({ name: "verifying" });
      const problem = await takeToken(token);
      if (problem === null) return verify({ hasToken: true });
      const retry = problem === "unexpected" ? () => void spend(token) : null;
      setStep({ name: "problem", problem, retry });
    },
    [verify],
  );

  useEffect(() => {
    if (!link) return;
    if (link.kind === "error") setStep({ name: "problem", problem: problemInAddress(link), retry: null });
    else if (link.kind === "session") void spend(link);
    else setStep({ name: "continue" });
  }, [link, spend]);

  // Without a link, whoever is signed in may set a new password.
  const isBare = link === null && !isLoading && step.name === "processing";
  useEffect(() => {
    if (!isBare) return;
    if (user) void verify({ hasToken: false });
    else setStep({ name: "problem", problem: "missing", retry: null });
  }, [isBare, user, verify]);

  const isLeft = step.name === "form" && !isLoading && user === null;
  useEffect(() => {
    if (isLeft) void verify({ hasToken: link !== null });
  }, [isLeft, link, verify]);

  const goOn = () => {
    if (link?.kind === "token") void spend(link);
  };
  return { step, goOn };
}

/** The link that led here, taken out of the address before anything else happens; undefined until it was looked for. */
function useLinkInAddress(): AuthCallback | null | undefined {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const [link, setLink] = useState<AuthCallback | null>();
  useEffect(() => {
    const found = parseAuthCallback({ search, hash });
    setLink((earlier) => found ?? earlier ?? null);
    if (found === null) return;
    const address = withoutCallback({ pathname, search, hash });
    window.history.replaceState(window.history.state, "", address);
    // The router read the address before it was wiped.
    void navigate(address, { replace: true, state });
  }, [pathname, search, hash, state, navigate]);
  return link;
}

async function takeToken(token: Token): Promise<LinkProblem | null> {
  if (token.kind === "session" && token.refreshToken === "") return "sessionFailed";
  try {
    const { auth } = await loadSupabase();
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

/** Asks the server who this is: a stored session may belong to nobody any more. */
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
    async ({ hasToken }: { hasToken: boolean }) => {
      setStep({ name: "verifying" });
      let isKnown = await isPersonKnown();
      if (!isKnown && hasToken) {
        setStep({ name: "unverified" });
        await new Promise((resolve) => setTimeout(resolve, AUTH_RETRY_MS));
        isKnown = await isPersonKnown();
      }
      if (!isHere.current) return;
      if (isKnown) {
        setStep({ name: "form" });
        return;
      }
      setStep({ name: "unverified" });
      const said = hasToken ? "failed" : "required";
      const { title, description } = t(`reset.${said}`, { returnObjects: true });
      notify({ kind: "destructive", title, description });
      await navigate(localizedPath("/", language), { replace: true });
    },
    [setStep, t, language, navigate],
  );
}

async function isPersonKnown(): Promise<boolean> {
  try {
    const { auth } = await loadSupabase();
    return authDataOf(await auth.getUser()).user !== null;
  } catch (error) {
    logProblem("The person could not be verified", error);
    return false;
  }
}
