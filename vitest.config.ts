import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/vscode/**'],
    globalSetup: ['test/support/globalSetup.ts'],
    // No test changes what others see of the process or of a module: reading all modules anew for each file takes longer than most tests.
    isolate: false,
    // By default one processor is left alone, which is half of them on a small machine.
    maxWorkers: '100%',
    // Tells a test that hangs, not one on a slow machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
