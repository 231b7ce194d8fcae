import { Suspense } from "react";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import type { LeftOutProps } from "./left-out.tsx";

const LeftOut = lazyPart(async () => (await import("./left-out.tsx")).LeftOut, { namespaces: ["rules"] });

/** Loaded when something that rules left out is shown. */
export function LeftOutPart(props: LeftOutProps) {
  return (
    <Suspense fallback={null}>
      <LeftOut {...props} />
    </Suspense>
  );
}
