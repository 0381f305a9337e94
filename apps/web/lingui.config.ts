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
    // Server texts: mails, text messages, files, and notices, which are also mails and pushes.
    {
      path: '<rootDir>/../api/locales/{locale}',
      include: ['<rootDir>/../api/src', '<rootDir>/../../packages/contract/src/talk/topics'],
      exclude: ['**/*.test.ts', '**/*.fixtures.ts'],
    },
  ],
  extractors: [topicTextExtractor, mailTextExtractor, babel],
  // Omits line numbers and keeps a stable order, to avoid merge conflicts.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
