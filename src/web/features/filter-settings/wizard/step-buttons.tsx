import type { ReactNode } from "react";
import { FootBar } from "../form/foot-bar.tsx";

/** On a phone always in view, within reach of the thumb. The button to continue comes last and is the widest. */
export function StepButtons({ children }: { children: ReactNode }) {
  return (
    <FootBar>
      <div className="flex gap-2 sm:justify-between [&>button]:h-auto [&>button]:min-h-13 sideways:[&>button]:min-h-11 [&>button]:min-w-0 [&>button]:py-2 [&>button]:whitespace-normal max-sm:[&>button]:px-4 max-sm:[&>button:last-child]:flex-1 [&>span]:hidden sm:[&>span]:block">
        {children}
      </div>
    </FootBar>
  );
}
