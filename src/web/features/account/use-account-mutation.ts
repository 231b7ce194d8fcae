import { useRef, useState } from "react";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";

interface Words {
  title: string;
  description: string;
}

/** Something done on the person's word, one at a time, told in a toast either way. Answers whether it succeeded. */
export function useAccountMutation(failure: Words) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (deed: () => Promise<void>, success: Words): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    try {
      await deed();
      notify({ kind: "success", ...success });
      return true;
    } catch (error) {
      logProblem(failure.title, error);
      notify({ kind: "destructive", ...failure });
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, run };
}
