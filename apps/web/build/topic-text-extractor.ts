import type { ExtractorType } from '@lingui/conf';
import { parseSync, Visitor } from 'oxc-parser';

/** Finds the `text('…')` messages of notification topics, which server and web share, so no macro can mark them. */
export const topicTextExtractor: ExtractorType = {
  match: (filename) => /\/talk\/topics\/[a-z-]+\.ts$/.test(filename),
  extract(filename, code, onMessageExtracted) {
    new Visitor({
      CallExpression({ callee, arguments: [message] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'text') return;
        if (message?.type !== 'Literal' || typeof message.value !== 'string')
          throw new Error(`${filename}: text() takes a string literal`);
        onMessageExtracted({
          id: `notice/${message.value}`,
          message: message.value,
          origin: [filename, 1],
          placeholders: {},
        });
      },
    }).visit(parseSync(filename, code).program);
  },
};
