import { defineConfig } from '@lingui/cli';
import babel from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';
import { languages } from '@nearhand/contract/languages';
import { mailTextExtractor, topicTextExtractor } from './build/text-extractors.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src', '<rootDir>/../../packages/contract/src/talk/topics'],
      exclude: ['**/*.test.ts', '**/*.test.tsx', '**/generated/**', '<rootDir>/src/console/**'],
    },
    // What the server writes: mails, text messages, files, and the notices that are also mails and pushes.
    {
      path: '<rootDir>/../api/locales/{locale}',
      include: ['<rootDir>/../api/src', '<rootDir>/../../packages/contract/src/talk/topics'],
      exclude: ['**/*.test.ts', '**/*.fixtures.ts'],
    },
  ],
  extractors: [topicTextExtractor, mailTextExtractor, babel],
  // No line numbers and a stable order: two people who add strings should not meet in this file.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
