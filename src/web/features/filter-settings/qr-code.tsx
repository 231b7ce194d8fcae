import { useEffect, useState } from "react";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { logProblem } from "../../lib/log.ts";

interface Drawing {
  text: string;
  size: number;
  path: string;
}

/** Dark on white in either theme: many cameras read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isGone = false;
    import("uqr").then(
      ({ encode }) => {
        const { size, data } = encode(text, { ecc: "M", border: 2 });
        if (!isGone) setDrawing({ text, size, path: pathOf(data) });
      },
      (error: unknown) => logProblem("The QR code could not be drawn", error),
    );
    return () => {
      isGone = true;
    };
  }, [text]);
  if (drawing?.text !== text) return <Skeleton className="aspect-square w-full rounded-xl" />;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-xl border border-line bg-white"
    >
      <path d={drawing.path} fill="#0b1220" />
    </svg>
  );
}

function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}
