import { useRef, useState } from "react";
import { type AuthFailure, authFailureOf, failureLine } from "../auth/auth-failure.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { logProblem } from "./log.ts";
import { notify } from "./toast.ts";

interface Attempt {
  isBusy: boolean;
  /** Why the last one failed. */
  failure: AuthFailure | undefined;
  /** Does it, unless it is being done already; says in a toast when it fails. Answers whether it succeeded. */
  run(deed: () => Promise<void>): Promise<boolean>;
}

/** One thing done at a time on the person's word. `description` overrides what the toast would say of the failure. */
export function useAttempt(failed: { title: string; description?: string }): Attempt {
  const t = useTexts("auth");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AuthFailure>();
  const isRunning = useRef(false);
  const run = async (deed: () => Promise<void>) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await deed();
      return true;
    } catch (error) {
      const reason = authFailureOf(error, t);
      // An answer with a code is the server's to give; anything else is worth a developer's look.
      if (reason.code === "") logProblem(failed.title, error);
      setFailure(reason);
      notify({
        kind: "destructive",
        title: failed.title,
        description: failed.description ?? failureLine(reason),
      });
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
