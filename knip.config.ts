import type { KnipConfig } from "knip";

// With --production, only what the running product uses counts: code that is kept alive by its tests alone is reported.
const isProduction = process.argv.includes("--production");

export default {
  entry: [
    "scripts/{launch.mjs,start.ts,texts.ts,plan.ts,doctor.ts,ops.ts,serve.ts,build.ts,write-shrinkwrap.ts,try-release.ts,check/{check,mutate}.ts,land-migrations.ts,draw-pictures.ts,browsers/browsers.ts,web/bundle.ts,web/dev-web.ts,zones/{draw-zones,draw-spain}.ts}!",
    "src/server/main.ts!",
    "src/web/app/**/*.{ts,tsx}!",
    "simulators/main.ts!",
    "simulators/console/page/*.ts!",
    // Used by vite.config.ts and react-router.config.ts, which count as tools.
    "{scripts/web/build-worker,scripts/web/bundle-report,src/web/lib/site/sitemap,src/web/worker/worker}.ts!",
    "scripts/texts.ts",
    "bench/**/*.ts",
    "test/{delivery/worker,landed-version/make-backup,watching/process}.ts",
  ],
  project: [
    "{src,scripts}/**/*.{ts,tsx,css}!",
    // Tests, and what only tests run: the generators of `npm run types` and `npm run templates`.
    "!**/{*.test,test-words}.{ts,tsx}!",
    "!src/web/testing/**!",
    "!scripts/{database-types,mail-templates,schema-sql,texts}.ts!",
    "{simulators,test,bench,supabase,e2e}/**/*.{ts,tsx}",
  ],
  ignoreDependencies: ["dependency-cruiser", "squawk-cli", "typescript-native", "@types/smtp-server"],
  ignoreBinaries: [
    "apt-get",
    "sha256sum",
    "dpkg",
    "du",
    "unshare",
    "mount",
    "umount",
    "psql",
    ...(isProduction ? ["react-router"] : []),
  ],
  // A test may import what is otherwise used in its own file only.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
} satisfies KnipConfig;
