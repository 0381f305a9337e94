import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.ts', '**/*.test.tsx', '**/generated/**'],
    },
  ],
  // No line numbers and a stable order: two people who add strings should not meet in this file.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
