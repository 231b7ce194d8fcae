import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useState } from "react";
import type { Button } from "./ui/button.tsx";

const loadMenu = () => import("./ui/dropdown-menu.tsx");
const OpenedMenu = lazy(async () => ({ default: (await loadMenu()).OpenedMenu }));

interface LazyMenuProps {
  label: string;
  trigger: ReactElement<React.ComponentProps<typeof Button>>;
  Items: ComponentType;
}

/** A menu whose machinery (36 kB of it) loads when a pointer or the focus comes near its button. */
export function LazyMenu({ label, trigger, Items }: LazyMenuProps) {
  const [openedBy, setOpenedBy] = useState<"pointer" | "keyboard">();
  const preload = () => {
    loadMenu().catch(() => undefined);
  };
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    // A click without a pointer is the Enter or the space key.
    onClick: (event) => setOpenedBy(event.detail === 0 ? "keyboard" : "pointer"),
    onKeyDown: (event) => {
      if (event.key === "ArrowDown") setOpenedBy("keyboard");
    },
  });
  if (!openedBy) return button;
  return (
    <Suspense fallback={button}>
      <OpenedMenu label={label} trigger={trigger} isByKeyboard={openedBy === "keyboard"}>
        <Items />
      </OpenedMenu>
    </Suspense>
  );
}
