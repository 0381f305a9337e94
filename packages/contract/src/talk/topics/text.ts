/** A message in ICU form, marked by `text(…)` for `npm run extract`. Arguments are facts of the notice. */
export type Text = { readonly message: string };
export const text = (message: string): Text => ({ message });
/** Its id in the catalogue, separate from screen texts. */
export const textId = ({ message }: Text): string => `notice/${message}`;

export type Texts = readonly (Text | false | '')[];
