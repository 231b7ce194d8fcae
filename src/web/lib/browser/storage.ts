/** Local storage that may be blocked, full or absent: then nothing is remembered, and nothing breaks. */
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
    // The choice then holds for this page only.
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

/** What is kept ends with the tab; where storage is blocked, with the page. */
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
        // Then it was never there.
      }
    },
  };
}
