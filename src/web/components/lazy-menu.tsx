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
  const [isWanted, setWanted] = useState(false);
  const preload = () => void loadMenu();
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
    onKeyDown: (event) => {
      if (event.key === "ArrowDown") setWanted(true);
    },
  });
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenedMenu label={label} trigger={trigger}>
        <Items />
      </OpenedMenu>
    </Suspense>
  );
}
