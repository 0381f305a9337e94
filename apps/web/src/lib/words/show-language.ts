import { i18n } from '@lingui/core';
import { directionOf, type Language } from '@nearhand/contract/languages';
import { compileMessage } from './compile-message.ts';

/** Shows everything in a language, with its catalogue; English needs none, since its texts are in the code. */
export function showLanguage(language: Language, messages: Parameters<typeof i18n.load>[1] = {}): void {
  i18n.setMessagesCompiler(compileMessage);
  i18n.load(language, messages);
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
