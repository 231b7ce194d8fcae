import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { codeOf } from "../backend/supabase.ts";
import { logProblem } from "./log.ts";
import { notify, type Toast } from "./toast.ts";

interface Words {
  title: string;
  description: string;
}

type Failure = Words & Pick<Toast, "action">;

interface ActionOptions<Input, Output> {
  run(input: Input): Promise<Output>;
  /** What follows on success, and what a toast then says. */
  onSuccess?(output: Output, input: Input): Words | undefined | Promise<Words | undefined>;
  /** What a toast says of a failure; null where the form itself says it, so that it is said in one place. */
  failure: Failure | ((error: Error) => Failure | null) | null;
}

/** Something done when the person asks for it, and never twice at once: a press while it runs is ignored. */
export function useAction<Input = void, Output = void>(options: ActionOptions<Input, Output>) {
  const queries = useQueryClient();
  const mutationKey = [useId()];
  const { isPending, variables, data, error, mutate, reset } = useMutation<Output, Error, Input>({
    mutationKey,
    mutationFn: options.run,
    // Offline is a failure like any other, shown at once.
    networkMode: "always",
    onSuccess: async (output, input) => {
      const words = await options.onSuccess?.(output, input);
      if (words) notify({ kind: "success", ...words });
    },
    onError: (failed) => {
      const words = typeof options.failure === "function" ? options.failure(failed) : options.failure;
      // An answer with a code is the server's to give; anything else is worth a developer's look.
      if (codeOf(failed) === "") logProblem(words?.title ?? "Something asked for failed", failed);
      if (words) notify({ kind: "destructive", ...words });
    },
  });
  const run = (input: Input) => {
    if (queries.isMutating({ mutationKey }) === 0) mutate(input);
  };
  return {
    isBusy: isPending,
    pendingInput: isPending ? variables : undefined,
    data,
    error,
    /** What the last failure was about. */
    failedInput: error ? variables : undefined,
    run,
    reset,
  };
}
