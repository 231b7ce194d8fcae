import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "./ui/button.tsx";

type SubmitButtonProps = ComponentProps<typeof Button> & { isBusy: boolean; busyText: string };

/** Stays focusable while busy: a disabled button would lose the focus. */
export function SubmitButton({ isBusy, busyText, children, ...props }: SubmitButtonProps) {
  return (
    <Button type="submit" aria-disabled={isBusy} {...props}>
      {isBusy ? (
        <>
          <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />
          {busyText}
        </>
      ) : (
        children
      )}
    </Button>
  );
}
