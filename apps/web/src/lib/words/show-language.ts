import { i18n } from '@lingui/core';
import { directionOf, type Language } from '@nearhand/contract/languages';

export function showLanguage(language: Language, messages: Parameters<typeof i18n.load>[1] = {}): void {
  i18n.setMessagesCompiler(compileMessage);
  i18n.load(language, messages);
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** A compiled message in Lingui's form: text, `[argument]`, or `[argument, type, its cases]`. */
type Token = string | [argument: string] | [argument: string, type: string, cases: Record<string, unknown>];

/** Compiles our messages. Lingui's compiler weighs 7 KiB; a test compares both for the whole catalogue. */
export function compileMessage(message: string): Token[] {
  try {
    return new Reader(message).tokens(false);
  } catch {
    // A raw message is better than a blank screen.
    return [message];
  }
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  tokens(inPlural: boolean): Token[] {
    const out: Token[] = [];
    let words = '';
    const flush = () => {
      if (words) out.push(words);
      words = '';
    };
    while (this.at < this.text.length) {
      const letter = this.text[this.at];
      if (letter === '}') break;
      if (letter === '{') {
        flush();
        out.push(this.argument());
      } else if (letter === '#' && inPlural) {
        flush();
        out.push('#');
        this.at += 1;
      } else if (letter === "'") words += this.quoted(inPlural);
      else {
        words += letter;
        this.at += 1;
      }
    }
    flush();
    return out;
  }

  /** A literal apostrophe, unless it is doubled or escapes a brace. */
  private quoted(inPlural: boolean): string {
    const next = this.text[this.at + 1];
    if (next === "'") {
      this.at += 2;
      return "'";
    }
    if (next !== '{' && next !== '}' && !(next === '#' && inPlural)) {
      this.at += 1;
      return "'";
    }
    const end = this.text.indexOf("'", this.at + 1);
    const hidden = this.text.slice(this.at + 1, end < 0 ? undefined : end);
    this.at += hidden.length + 2;
    return hidden;
  }

  private argument(): Token {
    const [, name = '', type] = this.take(/\{\s*([\w.-]+)\s*(?:,\s*(plural|selectordinal|select)\s*,)?\s*/y);
    if (!type) {
      this.take(/\}/y);
      return [name];
    }
    const [, offset] = this.take(/(?:offset:\s*(\d+))?\s*/y);
    const cases: Record<string, unknown> = { offset: offset === undefined ? undefined : Number(offset) };
    while (this.text[this.at] !== '}') {
      const [, key = ''] = this.take(/=?([\w-]+)\s*\{/y);
      cases[key] = this.tokens(type !== 'select');
      this.take(/\}\s*/y);
    }
    this.at += 1;
    return [name, type, cases];
  }

  private take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw new Error(`Message cannot be read at ${this.at}: ${this.text}`);
    this.at = pattern.lastIndex;
    return match;
  }
}
