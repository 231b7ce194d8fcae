import { Check } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { cn } from "../../lib/browser/class-names.ts";

interface OpenedMenuProps {
  label: string;
  trigger: ReactElement;
  isByKeyboard: boolean;
  children: ReactNode;
}

/** Mounted by the first click on its button, and therefore open from the start. */
export function OpenedMenu({ label, trigger, isByKeyboard, children }: OpenedMenuProps) {
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <DropdownMenuContent aria-label={label}>
        {children}
        {isByKeyboard && <FocusOnFirstItem />}
      </DropdownMenuContent>
    </Menu.Root>
  );
}

/** Radix focuses the first item only if it saw the key press itself. */
function FocusOnFirstItem() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    mark.current?.parentElement?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }, []);
  return <span ref={mark} hidden />;
}

export const DropdownMenuRadioGroup = Menu.RadioGroup;

const itemClasses =
  "relative flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 text-md outline-none select-none data-highlighted:bg-ink/7 [&_svg]:size-4.5 [&_svg]:shrink-0";

function DropdownMenuContent({ className, sideOffset = 8, ...props }: ComponentProps<typeof Menu.Content>) {
  return (
      <Menu.Content
        align="end"
        sideOffset={sideOffset}
        collisionPadding={12}
        className={cn(
          "z-50 min-w-52 rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card",
          "data-[state=open]:animate-menu-in",
          className,
        )}
        {...props}
      />
  );
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Menu.Item>) {
  return <Menu.Item className={cn(itemClasses, className)} {...props} />;
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Menu.RadioItem>) {
  return (
    <Menu.RadioItem className={cn(itemClasses, "pr-10", className)} {...props}>
      {children}
      <Menu.ItemIndicator className="absolute right-3">
        <Check aria-hidden />
      </Menu.ItemIndicator>
    </Menu.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Menu.Label>) {
  return <Menu.Label className={cn("px-3 py-2 text-sm text-muted", className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Menu.Separator>) {
  return <Menu.Separator className={cn("mx-2 my-1.5 h-px bg-line", className)} {...props} />;
}
