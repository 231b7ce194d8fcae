import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "../ui/button.tsx";

type BusyButtonProps = ComponentProps<typeof Button> & { isBusy: boolean; busyText: string };

/** Says that what it started is under way. It stays focusable then: a disabled button would lose the focus. */
export function BusyButton({ isBusy, busyText, children, ...props }: BusyButtonProps) {
  return (
    <Button aria-disabled={isBusy} {...props}>
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
