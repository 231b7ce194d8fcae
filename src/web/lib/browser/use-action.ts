import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { codeOf, isUnreachable } from "../backend/supabase.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { logProblem } from "./log.ts";
import { notify, type Toast } from "./toast.ts";

interface Words {
  title: string;
  description: string;
}

/** Why an action failed, for its toast and for the form. */
export type Failure = Words & Pick<Toast, "action">;

export interface ActionOptions<Input, Output> {
  run(input: Input): Promise<Output>;
  /** Runs after success; returns the text of the toast. */
  onSuccess?(output: Output, input: Input): Words | undefined | Promise<Words | undefined>;
  /** The toast for a failure; null if the form shows it, so that it is shown only once. */
  failure: Failure | ((error: Error) => Failure | null) | null;
  /** A sign-in or a question: without a connection the failure has its own words. */
  savesNothing?: boolean;
}

/** An action of the person that never runs twice at a time: a click while it runs is ignored. */
export function useAction<Input = void, Output = void>(options: ActionOptions<Input, Output>) {
  const t = useTexts("common");
  const queries = useQueryClient();
  const mutationKey = [useId()];
  const wordsOf = (failed: Error): Failure | null => {
    const words = typeof options.failure === "function" ? options.failure(failed) : options.failure;
    // What was typed is still there: one press saves it when the line is back.
    const isUnsaved = !options.savesNothing && isUnreachable(failed) && navigator.onLine === false;
    return words && isUnsaved ? { ...words, description: t("parts.offlineUnsaved") } : words;
  };
  const { status, variables, data, error, mutate, reset } = useMutation<Output, Error, Input>({
    mutationKey,
    mutationFn: options.run,
    // Being offline is a failure like any other, shown at once.
    networkMode: "always",
    onSuccess: async (output, input) => {
      const words = await options.onSuccess?.(output, input);
      if (words) notify({ kind: "success", ...words });
    },
    onError: (failed) => {
      const words = wordsOf(failed);
      // The server expects errors with a code; any other one should be looked at by a developer.
      if (codeOf(failed) === "") logProblem(words?.title ?? "An action failed", failed);
      if (words) notify({ kind: "destructive", ...words });
    },
  });
  const run = (input: Input) => {
    if (queries.isMutating({ mutationKey }) === 0) mutate(input);
  };
  return {
    isBusy: status === "pending",
    pendingInput: status === "pending" ? variables : undefined,
    data,
    error,
    failedInput: error ? variables : undefined,
    /** What the toast said, to be repeated in the form: the toast disappears. */
    failure: error ? wordsOf(error) : null,
    run,
    reset,
  };
}
