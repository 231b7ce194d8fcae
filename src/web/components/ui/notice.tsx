import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/browser/class-names.ts";

const noticeVariants = cva("flex gap-3 rounded-xl border px-4 py-3 text-md leading-snug", {
  variants: {
    tone: {
      /** Something to know. */
      plain: "border-strong-line bg-surface",
      /** Inside a card, which has the colour of a surface itself. */
      quiet: "border-line bg-background",
      failure: "border-tile/40 bg-tile/8",
    },
  },
  defaultVariants: { tone: "plain" },
});

interface NoticeProps extends Omit<ComponentProps<"div">, "title">, VariantProps<typeof noticeVariants> {
  icon?: LucideIcon;
  title?: ReactNode;
  /** At the right end. */
  aside?: ReactNode;
}

/** A box that says something about what is around it: a failure, a question, a fact. */
export function Notice({ tone, icon: Icon, title, aside, className, children, ...props }: NoticeProps) {
  return (
    <div className={cn(noticeVariants({ tone }), className)} {...props}>
      {Icon && (
        <Icon
          aria-hidden
          className={cn("mt-px size-5 shrink-0", tone === "failure" ? "text-tile" : "text-muted")}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-2 wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {aside}
    </div>
  );
}
