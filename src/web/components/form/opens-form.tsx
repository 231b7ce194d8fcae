import { type ComponentProps, type ReactNode, useState } from "react";
import { useFocusOnClose } from "../../lib/browser/use-focus-on-close.ts";
import { Button } from "../ui/button.tsx";

interface OpensFormProps extends Omit<ComponentProps<typeof Button>, "children"> {
  text: ReactNode;
  /** What stands there while the form is closed, with the button in it. */
  closed?(button: ReactNode): ReactNode;
  /** The form. Closing it gives the focus back to the button. */
  children(close: () => void): ReactNode;
}

/** A button that opens a form in its place. Rendered always: `closed` decides what is offered, and an open form stays. */
export function OpensForm({ text, closed, children, ...button }: OpensFormProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useFocusOnClose(isOpen);
  if (isOpen) return children(() => setOpen(false));
  const shown = (
    <Button ref={opener} variant="outline" onClick={() => setOpen(true)} {...button}>
      {text}
    </Button>
  );
  return closed ? closed(shown) : shown;
}
