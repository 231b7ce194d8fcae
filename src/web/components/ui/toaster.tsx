import { useEffect } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { TOAST } from "../../lib/site/constants.ts";
import { showToastsWith } from "../../lib/browser/toast.ts";
import { useMedia } from "../../lib/browser/use-media.ts";

/** Wide enough for a corner of its own. */
const WIDE = "(min-width: 64rem)";
/** At the top below the header, or the close button of a dialog. */
const OFFSET = { top: "calc(4.5rem + env(safe-area-inset-top))", bottom: "var(--above-bar)" };

/** Long enough to read the toast, decide, and reach the button. */
const WITH_ACTION_MS = 10_000;

/** Loaded with the first toast; see lib/browser/toast.ts. */
export function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  useEffect(
    () =>
      showToastsWith(({ kind, title, description, action }) => {
        const show = kind === "destructive" ? sonner.error : sonner.success;
        show(title, {
          ...(description === undefined ? {} : { description }),
          ...(action && {
            action: { label: action.label, onClick: action.onAction },
            duration: WITH_ACTION_MS,
          }),
        });
      }),
    [],
  );
  const isWide = useMedia(WIDE);
  return (
    <Sonner
      containerAriaLabel={label}
      visibleToasts={TOAST.visible}
      duration={TOAST.durationMs}
      gap={TOAST.gapPx}
      position={isWide ? "bottom-right" : "top-center"}
      offset={OFFSET}
      mobileOffset={OFFSET}
      closeButton
      style={{ "--width": `${TOAST.widthPx}px`, zIndex: 60 } as React.CSSProperties}
      toastOptions={{
        closeButtonAriaLabel: closeLabel,
        classNames: {
          toast: "sereno-toast",
          title: "sereno-toast-title",
          description: "sereno-toast-description",
          error: "sereno-toast-destructive",
          actionButton: "sereno-toast-action",
        },
      }}
    />
  );
}
