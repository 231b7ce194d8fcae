import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,simulators,scripts,test}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts"],
        },
      },
      {
        test: {
          name: "database",
          include: ["{src,simulators,supabase,test}/**/*.db.test.ts"],
          globalSetup: ["test/database-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
