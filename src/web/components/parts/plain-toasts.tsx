import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { showToastsWith, type Toast } from "../../lib/browser/toast.ts";
import { TOAST } from "../../lib/site/constants.ts";
import { Button } from "../ui/button.tsx";

/** Shows toasts while their library cannot be loaded. */
export function PlainToasts({ label, closeLabel }: { label: string; closeLabel: string }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(
    () =>
      showToastsWith((toast) => {
        const drop = () => setToasts((shown) => shown.filter((one) => one !== toast));
        setToasts((shown) => [...shown, toast].slice(-TOAST.visible));
        setTimeout(drop, TOAST.durationMs);
      }),
    [],
  );
  if (toasts.length === 0) return null;
  return (
    <section
      aria-label={label}
      className="fixed inset-x-4 top-18 z-60 mx-auto grid max-w-md gap-2 lg:top-auto lg:right-8 lg:bottom-(--above-bar) lg:left-auto lg:mx-0 lg:w-full"
    >
      {toasts.map((toast) => (
        <PlainToast
          key={`${toast.title} ${toast.description ?? ""}`}
          toast={toast}
          closeLabel={closeLabel}
          onClose={() => setToasts((shown) => shown.filter((one) => one !== toast))}
        />
      ))}
    </section>
  );
}

interface PlainToastProps {
  toast: Toast;
  closeLabel: string;
  onClose(): void;
}

function PlainToast({ toast: { kind, title, description, action }, closeLabel, onClose }: PlainToastProps) {
  return (
    <div
      role={kind === "destructive" ? "alert" : "status"}
      className="flex items-center gap-3 rounded-2xl border border-strong-line bg-surface px-4 py-3 text-md leading-snug shadow-lg"
    >
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {description !== undefined && <p className="text-muted">{description}</p>}
      </div>
      {action && (
        <Button
          variant="link"
          size="line"
          onClick={() => {
            action.onAction();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button variant="ghost" size="icon" aria-label={closeLabel} onClick={onClose}>
        <X aria-hidden className="size-4.5" />
      </Button>
    </div>
  );
}
