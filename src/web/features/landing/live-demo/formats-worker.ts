// See use-demo-feed.ts.
new Intl.NumberFormat();
self.postMessage("ready");
self.close();

export {};
