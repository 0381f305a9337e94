import { defineConfig } from '@lingui/cli';
import babel from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';
import { topicTextExtractor } from './build/topic-text-extractor.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src', '<rootDir>/../../packages/contract/src/talk/topics'],
      exclude: ['**/*.test.ts', '**/*.test.tsx', '**/generated/**', '<rootDir>/src/console/**'],
    },
  ],
  extractors: [topicTextExtractor, babel],
  // No line numbers and a stable order: two people who add strings should not meet in this file.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
