// See prepare-formats.ts.
new Intl.NumberFormat();
self.postMessage("ready");
self.close();

export {};
