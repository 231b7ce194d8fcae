import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// The default of one second is too short on a busy machine.
const EXPECT = { poll: { timeout: 60_000 } };

/** The generated sequences first: one that begins last keeps a core waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [long, others] = [true, false].map((isLong) =>
      files.filter(({ moduleId }) => moduleId.includes(".sequence.") === isLong),
    ) as [TestSpecification[], TestSpecification[]];
    return [...long, ...(await super.sort(others))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // What a passing test prints is of no use to anyone.
    silent: "passed-only",
    // See test/README.md.
    tags: [{ name: "long", timeout: 1_200_000 }],
    // Most of them wait for a database, a socket or a child most of the time.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,simulators,scripts,test}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts"],
          // The files of a worker share the modules they import: loading them for each file took half of the time.
          isolate: false,
          // Room for a slow machine; nothing here measures speed.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: EXPECT,
        },
      },
      {
        // The public origin is written into the pages by the build.
        define: { __SITE_ORIGIN__: '""' },
        oxc: { jsx: { runtime: "automatic" } },
        test: {
          name: "component",
          environment: "happy-dom",
          include: ["src/web/**/*.test.tsx"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: EXPECT,
        },
      },
      {
        test: {
          name: "database",
          include: ["{src,simulators,supabase,scripts,test}/**/*.db.test.ts"],
          isolate: false,
          globalSetup: ["test/database-setup.ts"],
          setupFiles: ["test/quick-passwords.ts"],
          testTimeout: 300_000,
          expect: EXPECT,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
