import { useState } from "react";
import { cn } from "#web/lib/browser/class-names.ts";

interface FindPhotoProps {
  url: string | null;
  alt: string;
  /** Among the first on the page: loads eagerly. */
  isFirst?: boolean;
  isFaded?: boolean;
  /** Much wider than high. */
  isWide?: boolean;
  className?: string;
}

/** The portal's photo, or a drawing if there is none or it fails to load. */
export function FindPhoto({
  url,
  alt,
  isFirst = false,
  isFaded = false,
  isWide = false,
  className,
}: FindPhotoProps) {
  const [broken, setBroken] = useState<string>();
  const isShown = url?.startsWith("https://") && broken !== url;
  return (
    <div className={cn("relative overflow-hidden bg-chat", className)}>
      <Front isWide={isWide} />
      {isShown && (
        <img
          src={url ?? ""}
          alt={alt}
          loading={isFirst ? "eager" : "lazy"}
          decoding="async"
          draggable={false}
          onError={() => setBroken(url ?? undefined)}
          className={cn("absolute inset-0 size-full object-cover", isFaded && "opacity-55 grayscale")}
        />
      )}
    </div>
  );
}

function Front({ isWide }: { isWide: boolean }) {
  return (
    <svg
      viewBox="0 0 160 110"
      // Shown whole in a wide frame, and filling any other.
      preserveAspectRatio={isWide ? "xMidYMax meet" : "xMidYMax slice"}
      aria-hidden="true"
      className="absolute inset-0 size-full text-ink"
    >
      <path d="M0 46h26V30h44v16h14V20h46v18h30v72H0Z" fill="currentColor" opacity="0.05" />
      <path d="M38 110V42l32-8 32 8v68Z" fill="currentColor" opacity="0.09" />
      <path d="M34 42 70 32l36 10v4H34Z" fill="currentColor" opacity="0.13" />
      <path
        d="M46 52h9v14h-9zM65.5 52h9v14h-9zM85 52h9v14h-9zM46 76h9v14h-9zM85 76h9v14h-9z"
        fill="currentColor"
        opacity="0.16"
      />
      <path
        d="M44 66h13M63.5 66h13M83 66h13M44 90h13M83 90h13"
        stroke="currentColor"
        strokeWidth="1.6"
        opacity="0.28"
      />
      <path d="M64 110V84a6 6 0 0 1 12 0v26Z" fill="currentColor" opacity="0.2" />
    </svg>
  );
}
