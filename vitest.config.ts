import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/vscode/**'],
    globalSetup: ['test/support/globalSetup.ts'],
    // No test changes what others see of the process or of a module: reading all modules anew for each file takes longer than most tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
