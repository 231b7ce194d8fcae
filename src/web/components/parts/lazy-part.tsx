import { type ComponentType, type ReactNode, use, useCallback, useSyncExternalStore } from "react";
import type { Language } from "#core/languages.ts";
import type { Namespace } from "#text/namespaces.ts";
import { useTextsOf } from "../../lib/i18n/use-texts.ts";
import { loadAgain } from "../../lib/parts/load-again.ts";
import type { LoadFailure } from "../../lib/parts/reason-of-failure.ts";
import { PartFailure } from "./part-failure.tsx";

interface PartOptions<Props> {
  /** Texts that the part needs and the page does not have. */
  namespaces?: readonly Namespace[];
  /** The language of these texts, if it must not be another one. */
  language?: Language;
  /** A dialog or a menu: a failure is shown over the page. */
  isFloating?: boolean;
  onDismiss?(props: Props): void;
  /** What stays in the place of a part whose failure is shown over the page. */
  instead?(props: Props): ReactNode;
}

interface Load {
  /** Resolves with the first outcome, which may be a failure. */
  outcome: Promise<void>;
  failure: LoadFailure | null;
  isDone: boolean;
}

const NO_TEXTS: readonly Namespace[] = [];

/** As React marks a promise that it has waited for. */
const NO_WAIT = Object.assign(Promise.resolve(), { status: "fulfilled", value: undefined });

/**
 * A component that is loaded when it is first shown, with its texts. It suspends until the first attempt has ended. If it
 * could not be loaded, it says so in its place and loads by itself when the connection is back.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { namespaces = NO_TEXTS, language, isFloating = false, onDismiss, instead }: PartOptions<Props> = {},
): ComponentType<Props> & { preload(): Promise<void> } {
  let Loaded: ComponentType<Props> | undefined;
  const loads = new Map<string, Load>();
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  const start = (texts: ReturnType<typeof useTextsOf>): Load => {
    // Not `Promise.withResolvers`, which browsers of 2023 lack.
    let resolve = () => {};
    const outcome = new Promise<void>((settled) => {
      resolve = settled;
    });
    const current: Load = { outcome, failure: null, isDone: false };
    const settle = (change: Partial<Load>) => {
      Object.assign(current, change);
      resolve();
      for (const listener of [...listeners]) listener();
    };
    const loadBoth = async () => {
      const [component] = await Promise.all([Loaded ?? load(), texts.load()]);
      Loaded = component;
    };
    void loadAgain(loadBoth, (failure) => settle({ failure })).then(() =>
      settle({ failure: null, isDone: true }),
    );
    return current;
  };

  /** Its code, before it is shown. Then its first render does not suspend. */
  const preload = async () => {
    Loaded ??= await load();
  };

  return Object.assign(LazyPart, { preload });

  function LazyPart(props: Props) {
    const texts = useTextsOf(namespaces, language);
    const stateOf = useCallback(() => loads.get(texts.language)?.failure ?? "none", [texts.language]);
    useSyncExternalStore(subscribe, stateOf, stateOf);
    const isReady = Loaded !== undefined && texts.areLoaded;
    let current = loads.get(texts.language);
    if (!isReady && (!current || current.isDone)) {
      current = start(texts);
      loads.set(texts.language, current);
    }
    // Also when there is nothing to wait for: React goes on with a render that waited, and its hooks must be the same.
    use(isReady || !current ? NO_WAIT : current.outcome);
    if (Loaded && isReady) return <Loaded {...props} />;
    if (current?.failure)
      return (
        <>
          {instead?.(props)}
          <PartFailure
            reason={current.failure}
            isFloating={isFloating}
            onDismiss={onDismiss && (() => onDismiss(props))}
          />
        </>
      );
    return null;
  }
}
