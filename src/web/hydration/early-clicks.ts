import type { EarlyPage } from "./early-page.ts";

interface Surroundings {
  arrivalKey: string;
  /** Uses what the tab remembers, where it may remember anything. */
  inTab(use: (tab: Storage) => void): void;
  /** What needs no application at all; true when that was everything. */
  onPress(pressed: HTMLElement): boolean;
}

/**
 * One rule: until the application lives, the last button or link of ours that was pressed is kept, and pressed again when it
 * does. A link leads on by itself where no application is coming, or when it is pressed once more. Either way the page that
 * was asked for is announced by its heading. It refers to nothing outside itself: its source runs in the head of every page.
 */
export function hearEarlyClicks(page: EarlyPage, { arrivalKey, inTab, onPress }: Surroundings): void {
  const { origin, pathname, hash } = window.location;
  /** In this tab. Places on this page and its other languages are links as anywhere. */
  const isOurPage = (link: HTMLAnchorElement, click: MouseEvent) => {
    const isPlain = !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
    const isPlace = link.pathname === pathname && link.hash !== "";
    return isPlain && link.origin === origin && !isPlace && !link.target && !link.hreflang;
  };
  const keep = (kept: EarlyPage["click"]) => {
    if (page.click) delete page.click.element.dataset.waiting;
    page.click = kept;
    if (kept) kept.element.dataset.waiting = "true";
  };
  const onClick = (click: MouseEvent) => {
    const pressed = click.target instanceof Element && click.target.closest<HTMLElement>("button, a[href]");
    if (!pressed || onPress(pressed)) return;
    const isLink = pressed instanceof HTMLAnchorElement;
    if (isLink && !isOurPage(pressed, click)) return;
    const isPressedAgain = page.click?.element === pressed;
    keep(undefined);
    if (page.isAlive) return;
    // React half awake would drop it, or answer twice.
    click.stopImmediatePropagation();
    if (isLink && (isPressedAgain || !page.isComing)) {
      inTab((tab) => tab.setItem(arrivalKey, pressed.pathname));
      return;
    }
    click.preventDefault();
    keep({ element: pressed, detail: click.detail });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const menu = event.target instanceof Element && event.target.closest<HTMLElement>("[aria-haspopup]");
    if (page.isAlive || event.key !== "ArrowDown" || !menu) return;
    event.preventDefault();
    menu.click();
  };
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKeyDown, true);

  let arrival: string | null = null;
  inTab((tab) => {
    arrival = tab.getItem(arrivalKey);
    tab.removeItem(arrivalKey);
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (arrival !== pathname || hash !== "" || document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  });
}
