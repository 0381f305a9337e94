/** What a value of a row is to JavaScript, as far as row types tell values apart. */
export type Kind = 'null' | 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object';

/** A raw statement that a test ran. */
export type Recorded = {
  /** The texts between the `${}` of its template: by these its place in the sources is found. */
  template: readonly string[];
  /** As PostgreSQL got it. */
  text: string;
  /** What its columns held. */
  seen: Record<string, Kind[]>;
};

/** The folder that the tests of this run record into, if the rows are checked after them. */
export const recordings = process.env.RECORDED_STATEMENTS;

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (value instanceof Date) return 'date';
  if (Buffer.isBuffer(value)) return 'bytes';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** Statements that differ only in how many values a list has are one. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/(\([^()]*\$[^()]*\))(?:,\s*\1)+/g, '$1')
    .replace(/\$(?:, ?\$)+/g, '$');
