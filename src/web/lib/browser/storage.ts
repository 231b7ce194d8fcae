/** Local storage that may be blocked, full or missing: then nothing is remembered, and nothing fails. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // The value then holds for this page only.
  }
}

export function storedKeys(): string[] {
  try {
    return Object.keys(window.localStorage);
  } catch {
    return [];
  }
}

export function readStoredInTab(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storeInTab(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    // The value then holds for this page only.
  }
}

/** Kept until the tab is closed; if storage is blocked, until the page is left. */
export function createTabStorage(isKept: (key: string) => boolean = () => true) {
  const memory = new Map<string, string>();
  return {
    getItem: (key: string): string | null => {
      try {
        return window.sessionStorage.getItem(key) ?? memory.get(key) ?? null;
      } catch {
        return memory.get(key) ?? null;
      }
    },
    setItem: (key: string, value: string): void => {
      if (!isKept(key)) return;
      try {
        window.sessionStorage.setItem(key, value);
      } catch {
        memory.set(key, value);
      }
    },
    removeItem: (key: string): void => {
      memory.delete(key);
      try {
        window.sessionStorage.removeItem(key);
      } catch {
        // Nothing was stored.
      }
    },
  };
}
