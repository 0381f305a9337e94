import { escapeHtml } from '../../platform/mail/mail-layout.ts';

/** Markup that is safe to send. Only `html` makes it, so a plain string is always escaped (ADR 153). */
export class Html {
  readonly text: string;
  private constructor(text: string) {
    this.text = text;
  }
  /** For our own constants, such as the style sheet: never for what a person wrote. */
  static trusted(text: string): Html {
    return new Html(text);
  }
}

export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/** A template whose values are escaped, in text and in quoted attributes alike. Null and false are left out, lists are joined. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  Html.trusted(parts.reduce((text, part, index) => `${text}${written(values[index - 1] ?? null)}${part}`));

function written(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(written).join('');
}

/** Linked data in a page. `<` is written as an escape, so that no text can end the element. */
export const jsonLd = (data: unknown): Html =>
  Html.trusted(
    `<script type="application/ld+json">${JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}</script>`,
  );
