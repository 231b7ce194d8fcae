import type { ComponentProps, FormEvent, ReactNode } from "react";
import { cn } from "../../lib/browser/class-names.ts";
import type { Failure } from "../../lib/browser/use-action.ts";
import { Button } from "../ui/button.tsx";
import { FormFailure } from "../ui/failure-notice.tsx";
import { BusyButton } from "./busy-button.tsx";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  form: { onSubmit(event: FormEvent<HTMLFormElement>): void };
  /** Its content is laid out as if it were not there: a sticky bar inside a box would stay within it. */
  isContents?: boolean;
}

export function Form({ form, isContents = false, className, ...props }: FormProps) {
  const look = isContents ? "contents" : "grid gap-4";
  return <form noValidate onSubmit={form.onSubmit} className={cn(look, className)} {...props} />;
}

interface FormFooterProps extends Pick<ComponentProps<typeof BusyButton>, "variant" | "size" | "className"> {
  form: { isBusy: boolean; failure: Failure | null; discard(): void };
  submit: string;
  busyText: string;
  cancel?: { text: string; onCancel(): void };
  /** In place of what the form says by itself. */
  failure?: ReactNode;
  /** Beside the buttons. */
  children?: ReactNode;
}

/** The end of a form: why it could not be saved, and the buttons. */
export function FormFooter({ form, submit, busyText, cancel, failure, children, ...look }: FormFooterProps) {
  return (
    <>
      {failure ?? <FormFailure failure={form.failure} />}
      <div className="flex flex-wrap items-center gap-2">
        <BusyButton type="submit" isBusy={form.isBusy} busyText={busyText} {...look}>
          {submit}
        </BusyButton>
        {cancel && (
          <Button
            variant="ghost"
            onClick={() => {
              form.discard();
              cancel.onCancel();
            }}
          >
            {cancel.text}
          </Button>
        )}
        {children}
      </div>
    </>
  );
}

/** Tells password managers which account a password is for. */
export function AccountOfPassword({ email }: { email: string }) {
  return <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />;
}
