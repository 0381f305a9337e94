import type { ExtractorType } from '@lingui/conf';
import { parseSync, Visitor } from 'oxc-parser';

/** Finds texts marked by `marker('…')`. A macro can't mark code that runs without a build. */
const extractorOf = (match: RegExp, marker: string, idPrefix: string, from?: RegExp): ExtractorType => ({
  match: (filename) => match.test(filename),
  extract(filename, code, onMessageExtracted) {
    const { program } = parseSync(filename, code);
    const isMarked = (source: string) => !from || from.test(source);
    const imports = program.body.filter((part) => part.type === 'ImportDeclaration');
    if (!isMarked(filename) && !imports.some((part) => isMarked(part.source.value))) return;
    new Visitor({
      CallExpression({ callee, arguments: [message] }) {
        if (callee.type !== 'Identifier' || callee.name !== marker) return;
        if (message?.type !== 'Literal' || typeof message.value !== 'string')
          throw new Error(`${filename}: ${marker}() takes a string literal`);
        onMessageExtracted({
          id: `${idPrefix}/${message.value}`,
          message: message.value,
          origin: [filename, 1],
          placeholders: {},
        });
      },
    }).visit(program);
  },
});

/** `text('…')` of notification topics, which server and web share. */
export const topicTextExtractor = extractorOf(/\/talk\/topics\/[a-z-]+\.ts$/, 'text', 'notice');

export const mailTextExtractor = extractorOf(
  /\/api\/src\/.*(?<!\.test|\.fixtures)\.ts$/,
  'phrase',
  'mail',
  /\bmail-layout\.ts$/,
);
