import { useEffect, useRef } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { TOAST } from "../../lib/site/constants.ts";
import { showToastsWith } from "../../lib/browser/toast.ts";
import { placeToasts } from "./toast-place.ts";

/** Keeps toasts off content that must stay visible; see toasts.css. */
const OFFSET = { bottom: "var(--toast-bottom)" };

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
  const toaster = useRef<HTMLElement>(null);
  useEffect(() => (toaster.current ? placeToasts(toaster.current) : undefined), []);
  return (
    <Sonner
      ref={toaster}
      containerAriaLabel={label}
      visibleToasts={TOAST.visible}
      duration={TOAST.durationMs}
      gap={TOAST.gapPx}
      // On a phone it has the width of the screen.
      position="bottom-right"
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
