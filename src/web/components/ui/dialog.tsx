import { X } from "lucide-react";
import { Dialog as Base } from "radix-ui";
import { type ComponentProps, useState } from "react";
import { cn } from "../../lib/browser/class-names.ts";

export const Dialog = Base.Root;
export const DialogTitle = Base.Title;
export const DialogDescription = Base.Description;

type DialogContentProps = ComponentProps<typeof Base.Content> & {
  closeLabel: string;
  /** "form": centred. "page": the whole screen of a phone, most of a larger one. */
  size?: "form" | "page";
};

const SIZES = {
  form: "inset-x-3 top-3 mx-auto max-h-[calc(100dvh-1.5rem)] max-w-md overflow-y-auto md:top-1/2 md:-translate-y-1/2 rounded-2xl border border-line p-6 sm:p-8 data-[state=open]:animate-menu-in",
  page: "inset-0 flex flex-col overflow-hidden sm:inset-4 sm:mx-auto sm:max-w-4xl sm:rounded-2xl sm:border sm:border-line lg:inset-y-8 data-[state=open]:animate-fade-in",
};

export function DialogContent({
  className,
  children,
  closeLabel,
  size = "form",
  ...props
}: DialogContentProps) {
  // Our dialogs are not opened by a Radix trigger, so Radix cannot return the focus.
  const [opener] = useState(() => document.activeElement);
  return (
    <Base.Portal>
      <Base.Overlay className="fixed inset-0 z-50 bg-night/70 data-[state=open]:animate-fade-in" />
      <Base.Content
        className={cn(
          "fixed z-50 mt-(--frame-top) mb-(--frame-bottom) bg-surface text-ink shadow-card outline-none",
          SIZES[size],
          className,
        )}
        onInteractOutside={(event) => {
          if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]"))
            event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
        }}
        {...props}
      >
        {children}
        <Base.Close
          aria-label={closeLabel}
          className="absolute top-3 right-3 grid size-11 cursor-pointer place-items-center rounded-xl text-muted hover:bg-ink/7 hover:text-ink"
        >
          <X aria-hidden className="size-5" />
        </Base.Close>
      </Base.Content>
    </Base.Portal>
  );
}
